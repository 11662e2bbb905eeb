import { TagsInput, TextInput } from '@mantine/core'
import { MAKES } from '../makes.ts'
import type { DetailsRecord } from './details-record.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'

export function ProfileSection({ record }: { record: DetailsRecord }) {
  const { field, isReadOnly } = record
  return (
    <FormSection title="Profile" text="Your name on pages, emails and forms.">
      <TextInput {...field('name')} required maxLength={120} autoComplete="off" />
      <TextInput {...field('legalName')} maxLength={160} autoComplete="off" />
      <TextInput
        {...field('website')}
        type="url"
        maxLength={300}
        autoComplete="off"
        placeholder="https://www.example.com"
      />
      <TextInput {...field('phone')} type="tel" maxLength={32} autoComplete="off" />
      <TagsInput
        {...field('makes')}
        className="fc-wide"
        data={MAKES}
        description={isReadOnly ? undefined : <bdi>Makes you sell new. Press Enter after each.</bdi>}
        clearable={!isReadOnly}
        clearButtonProps={{ 'aria-label': 'Clear makes' }}
      />
    </FormSection>
  )
}
