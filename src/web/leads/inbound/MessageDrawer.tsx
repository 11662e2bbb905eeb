import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { showSize } from '#contract/files/show-size.ts'
import { refusalText } from '#contract/leads/inbox/lead-files.ts'
import {
  INBOUND_STATES,
  type InboundMessageRecord,
  inboundMessages,
} from '#contract/leads/inbound/inbound-messages.ts'
import { labelOf } from '#contract/record.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { type Fact, FactList } from '#web/ui/record/Facts.tsx'
import { useKeptGuard } from '#web/ui/record/kept-typing.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'
import { isAddedAsLead, isOpen, messageTitle, STATE_LOOKS } from './inbound-labels.ts'
import { SourceText } from './SourceText.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import './inbound.css'

const retryMessage = send(inboundMessages.retry)
const dismissMessage = send(inboundMessages.dismiss)
const KEPT_LABELS = { text: 'Corrected text' }
const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** One message: what became of it, its leads and warnings, its text, and reading it again. */
export function MessageDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const load = useLoad(query(inboundMessages.get, { id }))
  const { data } = load
  return (
    <FormDrawer
      title={data ? messageTitle(data) : 'Message'}
      about={data && <bdi>{`${data.kind === 'adf' ? 'ADF document' : 'Email'} to ${data.addressLabel}`}</bdi>}
      size={640}
      tools={
        data && (
          <Status {...STATE_LOOKS[data.state]} isPill>
            {labelOf(INBOUND_STATES, data.state)}
          </Status>
        )
      }
      onClose={onClose}
    >
      <Loaded query={load} what="this message" shape="facts">
        {(loaded) => <Message key={loaded.state} message={loaded} />}
      </Loaded>
    </FormDrawer>
  )
}

function Message({ message }: { message: InboundMessageRecord }) {
  const { id, state, raw, correctedText, reason, warningSentences } = message
  const [text, setText] = useState<string | null>(null)
  const stored = correctedText ?? raw
  const { kept } = useKeptGuard({
    endpoint: inboundMessages.retry,
    record: message,
    values: { text: text ?? stored },
    changed: text !== null && text !== stored ? ['text'] : [],
    putBack: (typed) => setText(String(typed['text'])),
  })
  const onDone = (saved: InboundMessageRecord) => {
    queryClient.setQueryData([...keyOf(inboundMessages.get), { id }], saved)
    kept.end()
    setText(null)
    if (saved.state === 'received') toast('The message is a lead now', messageTitle(saved))
    else if (saved.state === 'quarantined') toast("It still can't be read", saved.reason ?? '')
    else toast('Message ignored', messageTitle(saved))
  }
  const onError = (failure: Parameters<typeof showError>[0]) => showError(failure)
  const retry = useMutation({ mutationFn: retryMessage, onSuccess: onDone, onError })
  const dismiss = useMutation({ mutationFn: dismissMessage, onSuccess: onDone, onError })
  const isBusy = retry.isPending || dismiss.isPending
  return (
    <div className="fc-form">
      <div className="fc-inbound-body">
        {reason !== null && (
          <p className={state === 'quarantined' ? 'fc-routing-note' : 'fc-small'}>
            <bdi>{reason}</bdi>
          </p>
        )}
        <FactList facts={factsOf(message)} />
        {warningSentences.length > 0 && (
          <section aria-labelledby="inbound-warnings">
            <h3 id="inbound-warnings">{count(warningSentences.length, 'warning', 'warnings')}</h3>
            <ul className="fc-small fc-inbound-help">
              {warningSentences.map((sentence) => (
                <li key={sentence}>
                  <bdi>{sentence}</bdi>
                </li>
              ))}
            </ul>
          </section>
        )}
        {isOpen(state) && <KeptNotice kept={kept} labels={KEPT_LABELS} />}
        <Locked isBusy={isBusy}>
          <Texts message={message} text={text} onText={setText} />
        </Locked>
      </div>
      {isOpen(state) && (
        <Footer
          message={message}
          text={text}
          isBusy={isBusy}
          onText={setText}
          onDismiss={() => dismiss.mutate({ id })}
          onRetry={() =>
            retry.mutate({ id, ...(text !== null && { text }), isInquiry: isAddedAsLead(message) })
          }
        />
      )}
    </div>
  )
}

type TextsProps = {
  message: InboundMessageRecord
  /** The text that is being corrected; null: it isn't. */
  text: string | null
  onText: (text: string | null) => void
}

function Texts({ message: { raw, correctedText }, text, onText }: TextsProps) {
  if (text !== null) {
    return (
      <section aria-labelledby="inbound-text">
        <h3 id="inbound-text">Correct the text</h3>
        <Textarea
          aria-label="Corrected text"
          description={<bdi>The original text is kept as well.</bdi>}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          autosize
          minRows={12}
          maxRows={28}
          spellCheck={false}
          dir="ltr"
          classNames={{ input: 'fc-inbound-code' }}
        />
      </section>
    )
  }
  return (
    <>
      {correctedText !== null && (
        <div>
          <h3>Corrected text</h3>
          <SourceText label="Corrected text">{correctedText}</SourceText>
        </div>
      )}
      <div>
        <h3>Original text</h3>
        <SourceText label="Original text">{raw === '' ? '(empty)' : raw}</SourceText>
      </div>
    </>
  )
}

type FooterProps = TextsProps & { isBusy: boolean; onDismiss: () => void; onRetry: () => void }

function Footer({ message, text, isBusy, onText, onDismiss, onRetry }: FooterProps) {
  const { state, raw, correctedText } = message
  return (
    <div className="fc-form-footer">
      {state === 'quarantined' && (
        <Action for={inboundMessages.dismiss} variant="subtle" disabled={isBusy} onClick={onDismiss}>
          Dismiss
        </Action>
      )}
      <span className="fc-grow" />
      {text === null ? (
        <Action
          for={inboundMessages.retry}
          variant="default"
          disabled={isBusy}
          onClick={() => onText(correctedText ?? raw)}
        >
          Correct the text
        </Action>
      ) : (
        <Button variant="default" onClick={() => onText(null)}>
          Cancel
        </Button>
      )}
      <Action for={inboundMessages.retry} loading={isBusy} onClick={onRetry}>
        {isAddedAsLead(message) && text === null ? 'Add as lead' : 'Read again'}
      </Action>
    </div>
  )
}

/** They are saved from the lead. */
const filesWithSizes = (files: InboundMessageRecord['files']): string =>
  files
    .map((file) =>
      file.refusal === null
        ? `${file.name} (${showSize(file.bytes, 'en')})`
        : `not kept: ${refusalText(file)}`,
    )
    .join(', ')

function factsOf(message: InboundMessageRecord): Fact[] {
  const { sourceName, fromEmail, subject, receivedAt, repeats, encoding, reviewedBy, leads, files } = message
  return [
    [
      leads.length === 1 ? 'Lead' : 'Leads',
      leads.length > 0 && (
        <ul key="leads">
          {leads.map(({ id, name, vehicleTitle, isNew }) => (
            <li key={id}>
              <Link to="/customers/leads" search={{ lead: id }} className="fc-link">
                {name ?? 'Unknown'}
              </Link>
              {vehicleTitle !== null && `, ${vehicleTitle}`}
              {message.state === 'received' && !isNew && ' (sent before)'}
            </li>
          ))}
        </ul>
      ),
    ],
    ['From', fromEmail],
    ['Subject', subject],
    ['Lead source', sourceName],
    [
      'Received',
      <time key="at" dateTime={receivedAt}>
        {exactly.format(new Date(receivedAt))}
      </time>,
    ],
    ['Attachments', filesWithSizes(files)],
    ['Sent again', repeats > 0 && count(repeats, 'time', 'times')],
    ['Encoding', encoding?.toUpperCase() ?? null],
    ['Reviewed by', reviewedBy],
  ]
}
