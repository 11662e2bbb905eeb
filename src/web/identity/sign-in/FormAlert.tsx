import { IconAlertCircle, IconMailCheck } from '@tabler/icons-react'

type Props = { message: string | null; tone?: 'bad' | 'good' }

/** A message for the whole form, announced by screen readers when it appears. */
export function FormAlert({ message, tone = 'bad' }: Props) {
  const Icon = tone === 'bad' ? IconAlertCircle : IconMailCheck
  return (
    <div role="alert">
      {message !== null && (
        <p className="fc-alert" data-tone={tone}>
          <Icon size={16} aria-hidden="true" />
          {message}
        </p>
      )}
    </div>
  )
}
