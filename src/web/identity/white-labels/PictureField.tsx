import { Button, FileButton } from '@mantine/core'
import { type DomainWhiteLabel, PICTURE_LIMITS } from '#contract/identity/white-labels.ts'
import type { RecordFormState } from '#web/ui/form/use-record-form.ts'
import { FIELD_NAMES, type WhiteLabelValues } from './white-label-fields.ts'

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/svg+xml,image/x-icon,.ico'
const ABOUT = { logo: 'Square, at least 64 px.', favicon: 'Square, 32 px or a drawing.' }

type Props = {
  record: RecordFormState<WhiteLabelValues, DomainWhiteLabel>
  name: keyof typeof PICTURE_LIMITS
}

/** A small picture, held in the form until it is saved. */
export function PictureField({ record, name }: Props) {
  const { form, isReadOnly } = record
  const picture = form.values[name]
  const error = form.errors[name]
  const label = FIELD_NAMES[name]
  const limit = PICTURE_LIMITS[name]

  async function take(file: File | null) {
    if (file === null) return
    if (file.size > limit) {
      form.setFieldError(name, `This picture is too large: at most ${limit / 1000} kB.`)
      return
    }
    const address = await readAddress(file)
    record.change({ [name]: address })
    form.clearFieldError(name)
  }

  return (
    <fieldset className="fc-brand-picture">
      <legend className="fc-brand-label">{label}</legend>
      <div className="fc-row">
        {picture === '' ? (
          <span className="fc-brand-picture-place" aria-hidden="true" />
        ) : (
          <img className="fc-brand-picture-place" src={picture} alt={`${label} as it is chosen`} />
        )}
        <FileButton accept={ACCEPTED} onChange={(file) => void take(file)} disabled={isReadOnly}>
          {(button) => (
            <Button
              {...button}
              size="compact-sm"
              variant="default"
              disabled={isReadOnly}
              aria-label={`Choose ${label.toLowerCase()}`}
              {...(error !== undefined && { 'data-wrong': true })}
            >
              Choose
            </Button>
          )}
        </FileButton>
        {picture !== '' && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            disabled={isReadOnly}
            aria-label={`Take away ${label.toLowerCase()}`}
            onClick={() => record.change({ [name]: '' })}
          >
            Take away
          </Button>
        )}
      </div>
      <p className="fc-small fc-faint">
        <bdi>
          {ABOUT[name]} At most {limit / 1000} kB.
        </bdi>
      </p>
      {error !== undefined && (
        <p className="fc-rows-error" role="alert">
          <bdi>{error}</bdi>
        </p>
      )}
    </fieldset>
  )
}

/** The file as an address that holds it. */
function readAddress(file: File): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => done(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => failed(new Error('The file could not be read.')))
    reader.readAsDataURL(file)
  })
}
