import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import type { Delegation } from '#contract/assessments/targets/collaboration.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import { showRow } from '#contract/questions/show-answer.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import type { ShownQuestion } from '../target-view.ts'
import { type TargetState, wordsOf } from '../use-target.ts'

const delegatePart = send(assessmentAnswers.delegate)
const takeBack = send(assessmentAnswers.takeBack)

/** Asks someone else to answer this question, its section, or one row of its table. */
export function DelegateCard({ target, shown }: { target: TargetState; shown: ShownQuestion }) {
  const { record, compiled } = target
  const { question, number } = shown
  const section = compiled.byCode.get(question.code)?.section.id
  const [what, setWhat] = useState('question')
  const [person, setPerson] = useState<string | null>(null)
  const people = usePeople(target)
  const add = useMutation({
    mutationFn: delegatePart,
    onSuccess: ({ assigneeName }) => {
      setPerson(null)
      toast('Delegated', assigneeName)
    },
    onError: (failure: CallFailure) => showError(failure, 'Not delegated'),
  })
  const remove = useMutation({ mutationFn: takeBack, onError: (failure: CallFailure) => showError(failure) })
  const given = record.delegations.filter(
    (one) => one.questionCode === question.code || (section !== undefined && one.sectionId === section),
  )
  const parts = [
    { value: 'question', label: `This question (${number})` },
    { value: 'section', label: 'The whole section' },
    ...rowsOf(target, shown).map(({ key, label }) => ({ value: `row ${key}`, label })),
  ]
  const submit = () => {
    if (person === null) return
    const [kind = '', id = ''] = person.split(' ')
    add.mutate({
      targetId: record.id,
      ...(kind === 'user' ? { userId: id } : { assigneeId: id }),
      ...(what === 'section' ? { sectionId: section } : { questionCode: question.code }),
      ...(what.startsWith('row ') && { rowKey: what.slice(4) }),
    })
  }
  return (
    <section className="fc-target-card" aria-label="Delegation">
      <h3>Not your question?</h3>
      {given.map((one) => (
        <div key={one.id} className="fc-target-given">
          <p className="fc-small">
            <bdi>{describe(one, target, shown)}</bdi>
          </p>
          <Action
            for={assessmentAnswers.takeBack}
            size="compact-xs"
            variant="subtle"
            aria-label={`Take back from ${one.assigneeName}`}
            lock={record.maySubmit ? null : OWNER_ONLY}
            onClick={() => remove.mutate({ id: one.id })}
          >
            Take back
          </Action>
        </div>
      ))}
      <Select
        label="Part"
        data={parts}
        value={what}
        onChange={(value) => setWhat(value ?? 'question')}
        allowDeselect={false}
      />
      <Select
        label="Person"
        placeholder="Choose"
        data={people}
        value={person}
        onChange={setPerson}
        searchable
        nothingFoundMessage="No one found"
      />
      <div>
        <Action
          for={assessmentAnswers.delegate}
          size="compact-sm"
          variant="default"
          lock={record.maySubmit ? choiceLock(person) : OWNER_ONLY}
          loading={add.isPending}
          onClick={submit}
        >
          Delegate
        </Action>
      </div>
    </section>
  )
}

const OWNER_ONLY = 'Only the owner of this target can delegate its questions.'
const choiceLock = (person: string | null) => (person === null ? 'Choose a person first.' : null)

/** The people of the target, and users of its organization who can answer, if the caller may see them. */
function usePeople({ record }: TargetState) {
  const { data } = useQuery({
    ...query(assessmentSetup.users, { organization: record.organizationId }),
    enabled: record.maySubmit,
  })
  const own = record.people.filter(({ role }) => role === 'owner' || role === 'contributor')
  const known = new Set(record.people.flatMap(({ userId }) => userId ?? []))
  const others = data?.filter(({ id, problem }) => problem === null && !known.has(id)) ?? []
  return [
    {
      group: 'People of this target',
      items: own.map(({ id, name }) => ({ value: `person ${id}`, label: name })),
    },
    { group: 'Other users', items: others.map(({ id, name }) => ({ value: `user ${id}`, label: name })) },
  ].filter(({ items }) => items.length > 0)
}

/** Rows of a table that have been saved: only these have a key that others know. */
function rowsOf(target: TargetState, { question }: ShownQuestion) {
  if (question.type !== 'table') return []
  return target.record.answers
    .filter((one) => one.questionCode === question.code && one.rowKey !== '' && one.value !== null)
    .map(({ rowKey, value }, at) => ({
      key: rowKey,
      label: `Row ${at + 1}: ${showRow(question.columns, value, wordsOf(target))}`.slice(0, 80),
    }))
}

function describe(one: Delegation, target: TargetState, shown: ShownQuestion): string {
  const { assigneeName, sectionId, rowKey, isAnswered, delegatedAt } = one
  const at = rowsOf(target, shown).findIndex(({ key }) => key === rowKey)
  const row = at === -1 ? 'A row is' : `Row ${at + 1} is`
  const single = rowKey === null ? 'It is' : row
  const part = sectionId === null ? single : 'The section is'
  return `${part} with ${assigneeName} since ${formatDay(delegatedAt)}, ${isAnswered ? 'answered' : 'not answered yet'}.`
}
