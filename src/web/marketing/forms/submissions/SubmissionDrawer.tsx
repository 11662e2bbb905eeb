import { IconTrash } from '@tabler/icons-react'
import { looksLikeSpam, SUSPICIONS } from '#contract/leads/inbox/suspicions.ts'
import { type SubmissionRecord, submissions } from '#contract/marketing/forms/submissions.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { formatMoment } from '#web/ui/layout/date-format.ts'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { SubmissionContent } from './SubmissionContent.tsx'
import { SubmissionStatus } from './submission-columns.tsx'
import './submissions.css'

const releaseSubmission = send(submissions.release)
const removeSubmission = send(submissions.remove)

/** One submission: who sent what, about which vehicle, and where it came from. */
export function SubmissionDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const load = useLoad(query(submissions.get, { id }))
  const { data } = load
  const name = data?.senderName ?? data?.senderEmail ?? data?.senderPhone
  return (
    <FormDrawer
      title={name ?? 'Submission'}
      size={560}
      about={data && <bdi>{`${data.formName}, version ${data.formNumber}`}</bdi>}
      tools={data && <SubmissionStatus state={data.state} isTest={data.isTest} isPill />}
      onClose={onClose}
    >
      <Loaded query={load} what="this submission" shape="facts">
        {(loaded) => (
          <div className="fc-form">
            <div className="fc-submission">
              <StateNote submission={loaded} />
              <SubmissionContent submission={loaded} />
            </div>
            <SubmissionFooter submission={loaded} onClose={onClose} />
          </div>
        )}
      </Loaded>
    </FormDrawer>
  )
}

/** What an unfinished or quarantined submission means. */
function StateNote({ submission }: { submission: SubmissionRecord }) {
  const { id, state, suspicions, leadId, leadDueAt } = submission
  const release = useMutation({
    mutationFn: () => releaseSubmission({ id }),
    onSuccess: (released) => {
      queryClient.setQueryData([...keyOf(submissions.get), { id }], released)
      toast('Taken out of quarantine', released.senderName ?? released.formName)
    },
    onError: (failure) => showError(failure),
  })
  if (state === 'received') return null
  if (state === 'unfinished') {
    return (
      <div className="fc-submission-note" data-tone="info">
        <p>
          <b>Unfinished.</b> The sender completed some steps and left. Answers of later steps are missing.{' '}
          {leadId !== null && 'It has become a lead, which gets the rest if the sender finishes the form.'}
          {leadDueAt !== null && `It becomes a lead ${formatMoment(leadDueAt)} if nothing else is sent.`}
        </p>
      </div>
    )
  }
  return (
    <div className="fc-submission-note" data-tone="warn">
      <p>
        {looksLikeSpam(suspicions) ? (
          <>
            <b>This looks like spam.</b> Decide whether it is.
          </>
        ) : (
          <b>Please check this submission.</b>
        )}
      </p>
      <ul>
        {suspicions.map((suspicion) => (
          <li key={suspicion}>{SUSPICIONS[suspicion]}</li>
        ))}
      </ul>
      <Action for={submissions.release} loading={release.isPending} onClick={() => release.mutate()}>
        {looksLikeSpam(suspicions) ? 'Not spam' : 'Release'}
      </Action>
    </div>
  )
}

function SubmissionFooter({ submission, onClose }: { submission: SubmissionRecord; onClose: () => void }) {
  const { senderName, formName } = submission
  const remove = useMutation({ mutationFn: removeSubmission })
  async function confirmRemoval() {
    const done = await askToRemove({
      read: submissions.get,
      shown: submission,
      thing: 'this submission',
      question: {
        title: 'Delete this submission?',
        text: "Its answers and consents will be deleted. This can't be undone.",
        confirm: 'Delete submission',
      },
      run: ({ id, version }) => remove.mutateAsync({ id, version }),
    })
    if (done === null) return
    onClose()
    if (done !== 'gone') toast('Submission deleted', senderName ?? formName)
  }
  return (
    <div className="fc-form-footer">
      <Action
        for={submissions.remove}
        variant="subtle"
        className="fc-quiet-danger"
        loading={remove.isPending}
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        onClick={() => void confirmRemoval()}
      >
        Delete
      </Action>
      <span className="fc-grow" />
    </div>
  )
}
