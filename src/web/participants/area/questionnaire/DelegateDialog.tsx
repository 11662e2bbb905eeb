import { Button, Modal, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { rowKeyOf } from '#web/assessments/index.ts'
import { sentenceOf, useArea, useParticipantCall } from '../area.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

/** What a colleague is asked to answer. A row of a table is chosen in the dialog. */
export type Part = Readonly<
  { kind: 'section'; id: string; title: string } | { kind: 'question'; code: string; title: string }
>

type Props = {
  open: Pick<OpenQuestionnaire, 'record' | 'view' | 'compiled' | 'answering'>
  part: Part
  onClose: () => void
}

/** Asks a colleague by email to answer a section, a question or a row of a table. */
export function DelegateDialog({ open: { record, view, compiled, answering }, part, onClose }: Props) {
  const { text } = useArea()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [message, setMessage] = useState('')
  const [row, setRow] = useState('')
  const isTable = part.kind === 'question' && compiled.byCode.get(part.code)?.question.type === 'table'
  const draft = isTable ? view.drafts[part.code] : null
  const rows = Array.isArray(draft) ? draft.map(rowKeyOf).filter((key) => key !== '') : []
  const delegate = useDelegate({ record, answering }, part, onClose)
  const { fields = {} } = delegate.error ?? {}
  const isElsewhere = delegate.error !== null && fields['name'] === undefined && fields['email'] === undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={text(part.kind === 'section' ? 'delegateSection' : 'delegate')}
      closeButtonProps={{ 'aria-label': text('close') }}
      transitionProps={MODAL_TRANSITION}
    >
      <form
        className="fc-area-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          delegate.mutate({ row, name, email, message })
        }}
      >
        <p>
          <strong>
            <bdi>{part.title}</bdi>
          </strong>
        </p>
        <p className="fc-small fc-soft">{text('delegateText')}</p>
        {rows.length > 0 && (
          <NativeSelect
            label={text('part')}
            value={row}
            onChange={(event) => setRow(event.currentTarget.value)}
            data={[
              { value: '', label: text('wholeQuestion') },
              ...rows.map((key, at) => ({ value: key, label: text('row', { n: at + 1 }) })),
            ]}
          />
        )}
        <TextInput
          label={text('name')}
          autoComplete="off"
          data-autofocus
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fields['name']}
        />
        <TextInput
          label={text('email')}
          type="email"
          autoComplete="off"
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={fields['email']}
        />
        <Textarea
          label={text('message')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={1_000}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        {isElsewhere && delegate.error !== null && (
          <p role="alert" className="fc-area-problem">
            {sentenceOf(delegate.error, text)}
          </p>
        )}
        <div className="fc-area-buttons">
          <Button variant="default" onClick={onClose}>
            {text('cancel')}
          </Button>
          <Button type="submit" loading={delegate.isPending}>
            {text('send')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

/** `row`: the key of a row; '' for all of the part. */
type DelegationInput = Readonly<{ row: string; name: string; email: string; message: string }>

function useDelegate(
  { record, answering }: Pick<OpenQuestionnaire, 'record' | 'answering'>,
  part: Part,
  onDone: () => void,
) {
  const { text, say } = useArea()
  const call = useParticipantCall()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ row, name, email, message }: DelegationInput) => {
      // A new row must be on the server before someone is asked about it.
      await answering.sync.flush()
      return call(participantArea.delegate, {
        targetId: record.targetId,
        ...(part.kind === 'section' ? { sectionId: part.id } : { questionCode: part.code }),
        ...(row !== '' && { rowKey: row }),
        name,
        email,
        ...(message.trim() !== '' && { message }),
      })
    },
    onSuccess: ({ assigneeName }) => {
      say(text('sentTo', { name: assigneeName }))
      onDone()
      return client.invalidateQueries({ queryKey: ['questionnaire'] })
    },
  })
}
