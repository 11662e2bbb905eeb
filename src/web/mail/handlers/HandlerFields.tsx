import { useMayCall } from '#web/ui/controls/use-may-call.ts'
import { Checkbox, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  type EmailHandler,
  emailHandlers,
  HANDLER_KINDS,
  SMTP_SECURITIES,
} from '#contract/mail/handlers/handlers.ts'
import { query } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { CopyLink } from '../CopyLink.tsx'
import { type HandlerValues, KIND_NAMES, SECURITY_NAMES } from './handler-form.ts'
import { HandlerTest } from './HandlerTest.tsx'

const KINDS = HANDLER_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))
const SECURITIES = SMTP_SECURITIES.map((value) => ({ value, label: SECURITY_NAMES[value] }))

type Props = {
  record: RecordFormState<HandlerValues, EmailHandler>
  /** Null for a new one. */
  handler: EmailHandler | null
}

/** The fields of the selected kind. */
export function HandlerFields({ record, handler }: Props) {
  const { field, form, isReadOnly } = record
  const { kind } = form.values
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('name')}
        {...(handler === null && { 'data-autofocus': true })}
        className="fc-wide"
        required
        maxLength={80}
        autoComplete="off"
      />
      <Select {...field('kind')} className="fc-wide" data={KINDS} allowDeselect={false} />
      <TextInput {...field('fromEmail')} required type="email" maxLength={254} autoComplete="off" dir="ltr" />
      <TextInput {...field('fromName')} maxLength={100} autoComplete="off" />
      <TextInput
        {...field('replyTo')}
        className="fc-wide"
        type="email"
        maxLength={254}
        autoComplete="off"
        dir="ltr"
      />
      {kind === 'smtp' && (
        <>
          <TextInput {...field('host')} required maxLength={253} autoComplete="off" dir="ltr" />
          <TextInput {...field('port')} required inputMode="numeric" autoComplete="off" dir="ltr" />
          <Select {...field('security')} className="fc-wide" data={SECURITIES} allowDeselect={false} />
          <TextInput {...field('userName')} maxLength={200} autoComplete="off" dir="ltr" />
        </>
      )}
      {kind === 'postmark' && (
        <TextInput {...field('stream')} maxLength={60} autoComplete="off" placeholder="outbound" dir="ltr" />
      )}
      {kind !== 'outbox' && (
        <TextInput
          {...field('secret')}
          label={kind === 'postmark' ? 'Server token' : 'Password'}
          maxLength={500}
          autoComplete="new-password"
          placeholder={handler?.hasSecret === true ? 'Saved. Enter a new one to replace it.' : ''}
          type="password"
          dir="ltr"
        />
      )}
      <Checkbox
        {...form.getInputProps('isDefault', { type: 'checkbox' })}
        className="fc-wide"
        size="xs"
        label="Use this handler for all emails of this customer"
        description={form.values.isDefault && kind !== 'outbox' && <DefaultEffect handler={handler} />}
        disabled={isReadOnly}
      />
      {handler?.eventsPath != null && (
        <div className="fc-wide fc-form-section">
          <CopyLink label="Webhook URL" link={`${window.location.origin}${handler.eventsPath}`} />
          <p className="fc-small fc-faint">
            <bdi>
              Add it to Postmark for Delivery, Bounce, Open, Click and Spam Complaint events. Anyone with this
              URL can report delivery events, so keep it private.
            </bdi>
          </p>
        </div>
      )}
      {handler !== null && <HandlerTest id={handler.id} isChanged={record.changed.length > 0} />}
    </div>
  )
}

/** What follows when a handler that wasn't the default one is saved as it. */
function DefaultEffect({ handler }: Pick<Props, 'handler'>) {
  const mayRead = useMayCall(emailHandlers.effect)
  const { data } = useQuery({
    ...query(emailHandlers.effect, {}),
    enabled: mayRead && handler?.isDefault !== true,
  })
  const people = data?.codesNeededBy ?? 0
  return (
    <>
      Saving sends a test email to your own address if none was accepted with these settings yet. The handler
      is only saved if the mail server accepts it.
      {people > 0 &&
        ` From then on, ${count(people, 'person', 'people')} will need an emailed code to sign in.`}
    </>
  )
}
