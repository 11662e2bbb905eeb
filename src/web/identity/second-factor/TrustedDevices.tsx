import { Button } from '@mantine/core'
import { secondFactor, type TrustedDevice } from '#contract/identity/second-factor/second-factor.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { formatAgo, formatDay } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { describeDevice } from './device-format.ts'
import { SecuritySection } from './SecuritySection.tsx'

const forgetDevice = send(secondFactor.forgetDevice)

/** Browsers that skip the second factor. */
export function TrustedDevices({ devices }: { devices: readonly TrustedDevice[] }) {
  const forget = useMutation({
    mutationFn: forgetDevice,
    onSuccess: () => toast('Device removed', 'It will need a code at the next sign-in'),
    onError: (failure) => showError(failure),
  })
  return (
    <SecuritySection
      title="Trusted devices"
      text="These devices don't need a code for 30 days after each verification."
    >
      {devices.length === 0 && (
        <p className="fc-small fc-faint">
          No trusted devices. To add one, select “Trust this device” when you enter a code at sign-in.
        </p>
      )}
      {devices.length > 0 && (
        <ul className="fc-lines">
          {devices.map((device) => {
            const name = describeDevice(device.userAgent)
            return (
              <li key={device.id}>
                <span className="fc-grow">
                  <bdi className="fc-name">{name}</bdi>
                  <span className="fc-second">
                    {device.isThis ? 'This device, ' : ''}
                    <bdi>{device.ip}</bdi>, last used {formatAgo(device.lastUsedAt)}, trusted until{' '}
                    {formatDay(device.until)}
                  </span>
                </span>
                <Button
                  variant="default"
                  aria-label={`Remove ${name}`}
                  loading={forget.isPending && forget.variables.id === device.id}
                  onClick={() => forget.mutate({ id: device.id })}
                >
                  Remove
                </Button>
              </li>
            )
          })}
        </ul>
      )}
    </SecuritySection>
  )
}
