import { Button, FileButton } from '@mantine/core'
import { Mark } from '#web/ui/layout/Mark.tsx'
import { readAddress } from '#web/ui/files/media/read-address.ts'
import { FIELD_NAMES } from './profile-form.ts'
import type { ProfileRecord } from './profile-record.ts'

/** In bytes: as a data address it grows by a third and must fit the contract's 200,000 characters. */
const MOST = 140_000

type Props = { record: ProfileRecord; isReadOnly: boolean }

/** The organization's logo, held in the form until it is saved. */
export function LogoField({ record, isReadOnly }: Props) {
  const { form, change } = record
  const { logo, name } = form.values
  const error = form.errors['logo']

  async function take(file: File | null) {
    if (file === null) return
    if (file.size > MOST) {
      form.setFieldError('logo', `This picture is too large: at most ${MOST / 1000} kB.`)
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
            aria-label="Take away logo"
            onClick={() => change({ logo: '' })}
          >
            Take away
          </Button>
        )}
      </div>
      <p className="fc-small fc-faint">
        <bdi>PNG, JPEG, WebP or GIF, square, at most {MOST / 1000} kB.</bdi>
      </p>
      {error !== undefined && (
        <p className="fc-rows-error" role="alert">
          <bdi>{error}</bdi>
        </p>
      )}
    </fieldset>
  )
}
