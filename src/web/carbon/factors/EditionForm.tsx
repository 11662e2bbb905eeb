import { Button, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import {
  EditionDetails,
  type EditionPreview,
  factorEditions,
} from '#contract/carbon/factors/factor-editions.ts'
import type { FactorDataset } from '#contract/carbon/factors/factors.ts'
import { GWP_SETS } from '#contract/carbon/factors/resolve.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { upload } from '#web/api/upload.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { useSubmitHotkey } from '#web/ui/form/save-hotkey.ts'

const TEXTS = [
  { name: 'publisher', label: 'Publisher', most: 120 },
  { name: 'title', label: 'Title', most: 200 },
  { name: 'edition', label: 'Edition', most: 60 },
  { name: 'region', label: 'Region', most: 20 },
  { name: 'license', label: 'License', most: 120 },
  { name: 'attribution', label: 'Attribution', most: 300 },
  { name: 'url', label: 'URL', most: 300 },
] as const
const OPTIONAL: readonly string[] = ['url']

type Props = { file: File; preview: EditionPreview; onAdded: () => void }

/** The citation of the edition, so that every factor can be cited. */
export function EditionForm({ file, preview: { details, factors }, onAdded }: Props) {
  const [values, setValues] = useState(() => ({
    ...details,
    attribution: details.publisher,
    url: '',
    year: details.year ?? '',
  }))
  const [isTried, setIsTried] = useState(false)
  const read = EditionDetails.safeParse({ ...values, url: values.url || null })
  const adding = useMutation<FactorDataset, CallFailure, object>({
    mutationFn: (citation) =>
      upload(factorEditions.add, { details: JSON.stringify(citation) }, [file], {
        signal: new AbortController().signal,
        onSent: () => undefined,
      }),
    onSuccess: (edition) => {
      toast('Edition imported', `${edition.title}, ${count(edition.factors, 'factor', 'factors')}`)
      onAdded()
    },
  })
  const errors: Record<string, string> = {
    ...adding.error?.fields,
    ...(isTried && !read.success && fieldSentences(read.error)),
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    setIsTried(true)
    if (read.success && !adding.isPending) adding.mutate(read.data)
  }
  const element = useSubmitHotkey()
  return (
    <form ref={element} noValidate onSubmit={submit} className="fc-edition-form">
      <Locked isBusy={adding.isPending}>
        {TEXTS.map(({ name, label, most }) => (
          <TextInput
            key={name}
            label={label}
            value={values[name]}
            error={errors[name]}
            required={!OPTIONAL.includes(name)}
            maxLength={most}
            autoComplete="off"
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        ))}
        <NumberField
          isPlain
          takesText
          label="Year"
          description={<bdi>For factors without a year of their own</bdi>}
          required
          value={values.year}
          error={errors['year']}
          onChange={(year) => setValues({ ...values, year: year === '' ? '' : Number(year) })}
        />
        <Select
          label="GWP set"
          description={<bdi>For values in kg CO2e</bdi>}
          data={[...GWP_SETS]}
          clearable
          value={values.gwpSet}
          onChange={(set) => setValues({ ...values, gwpSet: GWP_SETS.find((one) => one === set) ?? null })}
        />
        {adding.error !== null && Object.keys(adding.error.fields ?? {}).length === 0 && (
          <p className="fc-form-alert fc-wide" role="alert">
            <bdi>{adding.error.message}</bdi>
          </p>
        )}
        <div className="fc-wide">
          <Button type="submit" loading={adding.isPending}>
            Import {count(factors, 'factor', 'factors')}
          </Button>
        </div>
      </Locked>
    </form>
  )
}
