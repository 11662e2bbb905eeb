import { Checkbox, Select, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { LOT_TYPES } from '#contract/customers/lots.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { query } from '#web/api/query.ts'
import { FIELD_NAMES, type LotValues, TYPE_NAMES } from './lot-fields.ts'

const TYPES = LOT_TYPES.map((value) => ({ value, label: TYPE_NAMES[value] }))
const ZONES = Intl.supportedValuesOf('timeZone')
/** Offered, not prescribed: a tag may be any make. */
const MAKES = [
  'BMW',
  'Chevrolet',
  'Ford',
  'Honda',
  'Hyundai',
  'Jeep',
  'Kia',
  'Mercedes-Benz',
  'Nissan',
  'Toyota',
]

type Props = {
  form: UseFormReturnType<LotValues>
  /** For those who may look and not change. */
  isReadOnly: boolean
  /** A new lot begins with typing its code. */
  isNew: boolean
}

const NO_MAKES = 'Without any, the lot takes every make.'

/** The fields, short ones in pairs. */
export function LotFields({ form, isReadOnly, isNew }: Props) {
  const choices = useQuery(query(organizations.listAll, {}))
  const all = choices.data ?? []
  const field = (name: keyof LotValues) => ({
    label: FIELD_NAMES[name],
    readOnly: isReadOnly,
    ...form.getInputProps(name),
  })
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('code')}
        {...(isNew && { 'data-autofocus': true })}
        required
        maxLength={20}
        autoComplete="off"
      />
      <Select {...field('type')} data={TYPES} allowDeselect={false} />
      <TextInput {...field('name')} required maxLength={100} className="fc-wide" autoComplete="off" />
      {all.length > 1 && (
        <Select
          {...field('organizationId')}
          className="fc-wide"
          data={all.map(({ id, name }) => ({ value: id, label: name }))}
          searchable
          allowDeselect={false}
          placeholder="The one you act in"
        />
      )}
      <TextInput {...field('address')} className="fc-wide" maxLength={200} autoComplete="off" />
      <TextInput {...field('city')} maxLength={100} autoComplete="off" />
      <TextInput {...field('region')} maxLength={60} autoComplete="off" />
      <TextInput {...field('postalCode')} maxLength={16} autoComplete="off" />
      <TextInput {...field('phone')} type="tel" autoComplete="off" />
      <Select
        {...field('timeZone')}
        value={form.values.timeZone === '' ? null : form.values.timeZone}
        onChange={(zone) => form.setFieldValue('timeZone', zone ?? '')}
        className="fc-wide"
        data={ZONES}
        limit={60}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear time zone' }}
        placeholder="The organization's"
        nothingFoundMessage="No such zone"
      />
      <TagsInput
        {...field('makes')}
        className="fc-wide"
        data={MAKES}
        description={<bdi>{isReadOnly ? NO_MAKES : `Press Enter after each. ${NO_MAKES}`}</bdi>}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear makes' }}
      />
      <Checkbox
        {...form.getInputProps('isPublic', { type: 'checkbox' })}
        className="fc-wide"
        size="xs"
        label="Show this lot on public pages"
        disabled={isReadOnly}
      />
    </div>
  )
}
