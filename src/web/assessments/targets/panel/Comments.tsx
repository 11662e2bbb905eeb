import { Checkbox, Textarea } from '@mantine/core'
import { useState } from 'react'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { withoutSent } from '#web/ui/call-form/without-sent.ts'
import { useKeptTyping } from '#web/ui/record/kept-typing.ts'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'
import type { TargetState } from '../use-target.ts'

const addComment = send(assessmentAnswers.comment)
const removeComment = send(assessmentAnswers.removeComment)

/** Comments on a question, oldest first. Internal ones are not shown to people without an account. */
export function Comments({ target: { record }, code }: { target: TargetState; code: string }) {
  const [text, setText] = useState('')
  const [isInternal, setInternal] = useState(false)
  const kept = useKeptTyping({
    endpoint: assessmentAnswers.comment,
    record: { id: `${record.id}/${code}` },
    values: { text },
    changed: text === '' ? [] : ['text'],
    putBack: (typed) => setText(String(typed['text'])),
  })
  const add = useMutation({
    mutationFn: addComment,
    onSuccess: (_saved, sent) => {
      const left = withoutSent(text, sent.text)
      setText(left)
      kept.end(left === '' ? undefined : { values: { text: left } })
    },
    onError: (failure: CallFailure) => showError(failure, 'The comment was not saved'),
  })
  const remove = useMutation({
    mutationFn: removeComment,
    onError: (failure: CallFailure) => showError(failure),
  })
  const shown = record.comments.filter(({ questionCode }) => questionCode === code)
  return (
    <section className="fc-target-card" aria-label="Comments">
      <h3>Comments</h3>
      {shown.length > 0 && (
        <ul className="fc-target-comments">
          {shown.map((one) => (
            <li key={one.id}>
              <p className="fc-small fc-soft">
                <bdi>
                  <strong>{one.writtenBy}</strong>, {formatAgo(one.writtenAt)}
                  {one.isInternal && ', internal'}
                </bdi>
              </p>
              <p className="fc-question-text">
                <bdi>{one.text}</bdi>
              </p>
              {one.isMine && (
                <Action
                  for={assessmentAnswers.removeComment}
                  variant="subtle"
                  color="gray"
                  size="compact-xs"
                  aria-label={`Delete the comment “${one.text.slice(0, 40)}”`}
                  onClick={() => remove.mutate({ id: one.id })}
                >
                  Delete
                </Action>
              )}
            </li>
          ))}
        </ul>
      )}
      <KeptNotice kept={kept} />
      <Textarea
        aria-label="Comment"
        placeholder="Write a comment"
        autosize
        minRows={2}
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Checkbox
        size="xs"
        label="Internal: not shown to people without an account"
        checked={isInternal}
        onChange={(event) => setInternal(event.currentTarget.checked)}
      />
      <div>
        <Action
          for={assessmentAnswers.comment}
          size="compact-sm"
          variant="default"
          lock={text.trim() === '' ? 'Write a comment first.' : null}
          saves
          loading={add.isPending}
          onClick={() => add.mutate({ targetId: record.id, questionCode: code, text, isInternal })}
        >
          Add comment
        </Action>
      </div>
    </section>
  )
}
