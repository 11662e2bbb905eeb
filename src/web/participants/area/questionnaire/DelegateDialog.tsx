import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { rowKeyOf } from '#web/assessments/index.ts'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { useArea, useParticipantCall } from '../area.ts'
import { AreaDialog } from './AreaDialog.tsx'
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
  const isTable = part.kind === 'question' && compiled.byCode.get(part.code)?.question.type === 'table'
  const draft = isTable ? view.drafts[part.code] : null
  const rows = Array.isArray(draft) ? draft.map(rowKeyOf).filter((key) => key !== '') : []
  const delegate = useDelegate({ record, answering }, part, onClose)
  return (
    <AreaDialog
      title={text(part.kind === 'section' ? 'delegateSection' : 'delegate')}
      call={delegate}
      confirm={text('send')}
      onClose={onClose}
    >
      <p>
        <strong>
          <bdi>{part.title}</bdi>
        </strong>
      </p>
      <p className="fc-small fc-soft">{text('delegateText')}</p>
      {rows.length > 0 && (
        <NativeSelect
          {...delegate.field('row')}
          label={text('part')}
          data={[
            { value: '', label: text('wholeQuestion') },
            ...rows.map((key, at) => ({ value: key, label: text('row', { n: at + 1 }) })),
          ]}
        />
      )}
      <TextInput
        {...delegate.field('name')}
        label={text('name')}
        autoComplete="off"
        data-autofocus
        maxLength={100}
      />
      <TextInput
        {...delegate.field('email')}
        label={text('email')}
        type="email"
        autoComplete="off"
        maxLength={254}
      />
      <Textarea
        {...delegate.field('message')}
        label={text('message')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={1_000}
      />
    </AreaDialog>
  )
}

/** `row`: the key of a row; '' for all of the part. */
const BLANK = { row: '', name: '', email: '', message: '' }

function useDelegate(
  { record: { targetId }, answering }: Pick<OpenQuestionnaire, 'record' | 'answering'>,
  part: Part,
  onClose: () => void,
) {
  const { session, text, say } = useArea()
  const call = useParticipantCall()
  const client = useQueryClient()
  return useCallForm({
    endpoint: participantArea.delegate,
    about: [session.participantId, targetId, part.kind === 'section' ? part.id : part.code].join('/'),
    initial: BLANK,
    send: async ({ row, name, email, message }) => {
      // A new row must be on the server before someone is asked about it.
      await answering.sync.flush()
      return call(participantArea.delegate, {
        targetId,
        ...(part.kind === 'section' ? { sectionId: part.id } : { questionCode: part.code }),
        ...(row !== '' && { rowKey: row }),
        name,
        email,
        ...(message.trim() !== '' && { message }),
      })
    },
    onDone: ({ assigneeName }) => {
      say(text('sentTo', { name: assigneeName }))
      onClose()
      void client.invalidateQueries({ queryKey: ['questionnaire'] })
    },
  })
}
