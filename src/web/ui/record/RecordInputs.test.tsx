import { MantineProvider } from '@mantine/core'
import { useForm } from '@mantine/form'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import {
  choice,
  countryField,
  emailField,
  flag,
  phoneField,
  record,
  requiredText,
  urlField,
} from '#contract/record.ts'
import { recordForm } from './record-form.ts'
import { RecordInputs } from './RecordInputs.tsx'

const SIZES = [
  { value: 'small', label: 'Small' },
  { value: 'large', label: 'Large' },
] as const

const model = recordForm(
  record(
    {
      name: requiredText('Name', 20),
      email: emailField('Email', { isRequired: true }),
      website: urlField('Website'),
      phone: phoneField('Phone'),
      country: countryField('Country'),
      size: choice('Size', SIZES, { message: 'Choose a size.', initial: 'small' }),
      isPublic: flag('On public pages', { initial: true }),
    },
    { readOnly: {} },
  ),
)
const { labels } = model

function Inputs() {
  const form = useForm({ initialValues: { ...model.blank, country: 'FR' } })
  const state = {
    form,
    id: 'record',
    field: (name: keyof typeof labels) => ({
      label: labels[name],
      readOnly: false,
      ...form.getInputProps(name),
    }),
    change: () => {},
    labels,
    changed: [],
    isReadOnly: false,
    isSaving: false,
    alert: null,
    showWrong: null,
    submit: () => {},
    discard: () => {},
    generation: 0,
    release: () => {},
    kept: { offer: null, replaced: {}, decide: () => {}, end: () => {} },
    keep: () => {},
    stale: null,
    resolve: () => {},
    conflict: null,
    isDeciding: false,
    isGone: false,
    acceptGone: () => {},
  }
  return <RecordInputs record={state} fields={model.fields} isNew />
}

test('each field has the input of its kind, in form order', () => {
  const html = renderToStaticMarkup(
    <MantineProvider>
      <Inputs />
    </MantineProvider>,
  )
  const inputs = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => tag)
  const typed = inputs.filter((tag) => !tag.includes('type="hidden"'))
  expect(typed.map((tag) => /type="(\w+)"/.exec(tag)?.[1] ?? 'text')).toEqual([
    'text',
    'email',
    'url',
    'tel',
    'text',
    'text',
    'checkbox',
  ])
  expect(typed.map((tag) => tag.includes('required'))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ])
  expect(typed[0]).toContain('data-autofocus')
  expect(html).toContain('France')
  expect(html).toContain('Small')
})
