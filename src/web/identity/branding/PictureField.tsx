import { Button, FileButton } from '@mantine/core'
import type { FileLeaf } from '#contract/files/files.ts'
import { type DomainWhiteLabel, PICTURE_LIMITS } from '#contract/identity/branding/white-labels.ts'
import { useMutation } from '#web/api/mutation.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { fetchBlob } from '#web/ui/files/media/file-manager.ts'
import { ACCEPTED_PICTURES } from '#web/ui/files/media/file-format.ts'
import { readAddress } from '#web/ui/files/media/read-address.ts'
import { ChooseFromMedia } from '#web/ui/files/picker/ChooseFromMedia.tsx'
import { sessionSignal } from '#web/ui/tasks/background-tasks.ts'
import { FIELD_NAMES, type WhiteLabelValues } from './white-label-form.ts'

const ABOUT = { logo: 'Square, at least 64 px.', favicon: 'Square, 32 px or SVG.' }

type Props = {
  record: RecordFormState<WhiteLabelValues, DomainWhiteLabel>
  name: keyof typeof PICTURE_LIMITS
}

/** A small picture, uploaded or chosen from the customer's media. Kept in the form until it is saved. */
export function PictureField({ record, name }: Props) {
  const { form, isReadOnly } = record
  const picture = form.values[name]
  const error = form.errors[name]
  const label = FIELD_NAMES[name]
  const limit = PICTURE_LIMITS[name]

  async function take(file: File | null) {
    if (file === null) return
    if (file.size > limit) {
      form.setFieldError(name, `This picture is too large. The limit is ${limit / 1000} kB.`)
      return
    }
    const address = await readAddress(file)
    record.change({ [name]: address })
    form.clearFieldError(name)
  }
  const fetching = useMutation({
    // One at a time, so that the last one chosen wins.
    scope: { id: `${record.id} ${name}` },
    mutationFn: async ([leaf]: readonly FileLeaf[]) => {
      if (leaf === undefined) return
      const file = await fetchBlob(leaf.path, sessionSignal())
      if (file === null) form.setFieldError(name, `${leaf.name} couldn't be loaded. Choose it again.`)
      else await take(file)
    },
  })
  const isLocked = isReadOnly || fetching.isPending

  return (
    <fieldset className="fc-brand-picture">
      <legend className="fc-brand-label">{label}</legend>
      <div className="fc-row">
        {picture === '' || fetching.isPending ? (
          <span
            className={`fc-brand-picture-place${fetching.isPending ? ' fc-skeleton' : ''}`}
            aria-hidden="true"
          />
        ) : (
          <img className="fc-brand-picture-place" src={picture} alt={`Selected ${label.toLowerCase()}`} />
        )}
        <div className="fc-row fc-wrap">
          <FileButton accept={ACCEPTED_PICTURES} onChange={(file) => void take(file)} disabled={isLocked}>
            {(button) => (
              <Button
                {...button}
                size="compact-sm"
                variant="default"
                disabled={isLocked}
                aria-label={`Upload ${label.toLowerCase()}`}
                {...(error !== undefined && { 'data-wrong': true })}
              >
                Upload
              </Button>
            )}
          </FileButton>
          <ChooseFromMedia
            kind="picture"
            isMany={false}
            most={limit}
            label={`Choose from media: ${label.toLowerCase()}`}
            disabled={isReadOnly}
            onChoose={(chosen) => fetching.mutate(chosen)}
          />
          {picture !== '' && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              disabled={isLocked}
              aria-label={`Remove ${label.toLowerCase()}`}
              onClick={() => record.change({ [name]: '' })}
            >
              Remove
            </Button>
          )}
        </div>
      </div>
      <p className="fc-small fc-faint">
        <bdi>
          {ABOUT[name]} Up to {limit / 1000} kB.
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
