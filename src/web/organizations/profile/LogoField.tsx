import { Button, FileButton } from '@mantine/core'
import { Mark } from '#web/ui/layout/Mark.tsx'
import { readAddress } from '#web/ui/files/media/read-address.ts'
import { FIELD_NAMES } from './profile-form.ts'
import type { ProfileRecord } from './profile-record.ts'

/** In bytes. As a data URL the image grows by a third, and the contract allows 200,000 characters. */
const MAX_BYTES = 140_000

type Props = { record: ProfileRecord; isReadOnly: boolean }

/** The organization's logo. It is part of the form and uploaded on save. */
export function LogoField({ record, isReadOnly }: Props) {
  const { form, change } = record
  const { logo, name } = form.values
  const error = form.errors['logo']

  async function take(file: File | null) {
    if (file === null) return
    if (file.size > MAX_BYTES) {
      form.setFieldError('logo', `This image is too large. Choose one of at most ${MAX_BYTES / 1000} kB.`)
      return
    }
    const address = await readAddress(file)
    change({ logo: address })
    form.clearFieldError('logo')
  }

  return (
    <fieldset className="fc-logo-field fc-wide">
      <legend>{FIELD_NAMES.logo}</legend>
      <div className="fc-row">
        <Mark logo={logo === '' ? null : logo} name={name} size={40} />
        <FileButton
          accept="image/png,image/jpeg,image/webp,image/gif"
          onChange={(file) => void take(file)}
          disabled={isReadOnly}
        >
          {(button) => (
            <Button
              {...button}
              size="compact-sm"
              variant="default"
              disabled={isReadOnly}
              aria-label="Choose logo"
              {...(error !== undefined && { 'data-wrong': true })}
            >
              Choose
            </Button>
          )}
        </FileButton>
        {logo !== '' && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            disabled={isReadOnly}
            aria-label="Remove logo"
            onClick={() => change({ logo: '' })}
          >
            Remove
          </Button>
        )}
      </div>
      <p className="fc-small fc-faint">
        <bdi>PNG, JPEG, WebP or GIF, square, at most {MAX_BYTES / 1000} kB.</bdi>
      </p>
      {error !== undefined && (
        <p className="fc-rows-error" role="alert">
          <bdi>{error}</bdi>
        </p>
      )}
    </fieldset>
  )
}
