import { Button, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { isMissing } from '#contract/questions/one-of.ts'
import { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { sentenceOf, useArea, useParticipantCall } from '../area.ts'
import { QuestionLinks } from './QuestionLinks.tsx'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = {
  open: OpenQuestionnaire
  onClose: () => void
  /** From now on, the problems of all questions are shown. */
  onProblems: () => void
  goToQuestion: (code: string) => void
}

/** Submits, or shows what is missing with links to it. The server checks the same once more. */
export function SubmitDialog({ open, onClose, onProblems, goToQuestion }: Props) {
  const { text } = useArea()
  const { record, evaluation, waiting, fileState } = open
  const isOwner = record.role === 'owner'
  const conflicts = open.view.sync.queue.changes.filter(({ state }) => state === 'conflict')
  const unsent = fileState.files.filter(({ state }) => state === 'refused')
  const submit = useSubmit(open, onClose)
  // A contributor finishes their part; what is missing is the owner's to see.
  const found = isOwner ? evaluation.problems : []
  const refused =
    submit.error instanceof CallFailure
      ? Object.keys(submit.error.fields).filter((code) => found.every(({ question }) => question !== code))
      : []
  const missing = [...new Set(found.filter(isMissing).map(({ question }) => question)), ...refused]
  // Submitting would leave out what the server didn't accept.
  const notSaved = open.view.sync.queue.changes.filter(
    ({ state, question }) => state === 'refused' && record.open.includes(question),
  )
  const wrong = [
    ...new Set([...found.filter((one) => !isMissing(one)), ...notSaved].map(({ question }) => question)),
  ]
  const isBlocked = [missing, wrong, conflicts, unsent].some(({ length }) => length > 0)
  const list = (codes: readonly string[]) => (
    <QuestionLinks
      codes={codes}
      open={open}
      goTo={(code) => {
        onProblems()
        goToQuestion(code)
      }}
    />
  )
  return (
    <Modal
      opened
      onClose={onClose}
      title={text(isOwner ? 'submit' : 'finish')}
      closeButtonProps={{ 'aria-label': text('close') }}
      transitionProps={MODAL_TRANSITION}
    >
      <div className="fc-area-form">
        {missing.length > 0 && <p>{text('openRequired', { n: missing.length })}</p>}
        {list(missing)}
        {wrong.length > 0 && <p>{text('toCorrect', { n: wrong.length })}</p>}
        {list(wrong)}
        {conflicts.length > 0 && <p>{text('chooseFirst', { n: conflicts.length })}</p>}
        {list([...new Set(conflicts.map(({ question }) => question))])}
        {unsent.length > 0 && <p>{text('filesRefused', { n: unsent.length })}</p>}
        {list([...new Set(unsent.map(({ question }) => question))])}
        {!isBlocked && <p>{text(isOwner ? 'submitText' : 'finishText')}</p>}
        {!isBlocked && waiting > 0 && (
          <output className="fc-area-warn">
            {text('waitForSending')} {text('waiting', { n: waiting })}
          </output>
        )}
        {submit.error !== null && refused.length === 0 && (
          <p role="alert" className="fc-area-problem">
            {sentenceOf(submit.error, text)}
          </p>
        )}
        <div className="fc-area-buttons">
          <Button variant="default" onClick={onClose}>
            {text(isBlocked ? 'close' : 'cancel')}
          </Button>
          {!isBlocked && (
            <Button loading={submit.isPending} onClick={() => submit.mutate()}>
              {text(isOwner ? 'submit' : 'finish')}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  )
}

/** Sends what waits, and submits if all of it arrived. */
function useSubmit({ record: { targetId }, answering, files }: OpenQuestionnaire, onDone: () => void) {
  const { say } = useArea()
  const call = useParticipantCall()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      // Files of file questions become answers.
      await files.flush()
      await answering.sync.flush()
      if (files.state().files.length > 0 || answering.sync.countWaiting() > 0) return null
      return call(participantArea.submit, { targetId })
    },
    onSuccess: async (receipt) => {
      if (receipt === null) return
      await client.invalidateQueries({ queryKey: ['questionnaire'] })
      void client.invalidateQueries({ queryKey: ['work'] })
      onDone()
      window.scrollTo(0, 0)
    },
    // It may have been submitted in another place meanwhile.
    onError: async (error) => {
      if (error.status === 409 && Object.keys(error.fields).length === 0) {
        await client.invalidateQueries({ queryKey: ['questionnaire'] })
        say(error.message)
        onDone()
      }
    },
  })
}
