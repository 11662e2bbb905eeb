import type { ReactNode } from 'react'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import type { Invitation } from '#contract/participants/invitations/participants.ts'
import type { BulkResult, Target } from '#contract/assessments/targets/targets.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { askFor, showNotice } from '#web/ui/overlay/dialogs.tsx'
import { AssignForm } from '../people/AssignForm.tsx'
import { showLeft } from '../show-left.tsx'
import { CompanySizeForm } from './CompanySizeForm.tsx'
import { DueDateForm } from './DueDateForm.tsx'
import { type Reminded, remindersFor } from './remind-people.ts'
import { RemindForm } from './RemindForm.tsx'

type Context = { assessment: Assessment; invitations: readonly Invitation[]; onDone: () => void }

export type TargetActions = {
  remind: (targets: readonly Target[]) => void
  reassign: (targets: readonly Target[]) => void
  changeDueDate: (targets: readonly Target[]) => void
  /** Null if nothing depends on the company size. */
  changeSize: ((targets: readonly Target[]) => void) | null
}

/** The dialogs of the bulk actions. Targets that an action leaves out are listed with the reason. */
export function useTargetActions({ assessment, invitations, onDone }: Context): TargetActions {
  const { size } = assessment
  async function remind(targets: readonly Target[]) {
    const { users, links } = remindersFor(targets, invitations)
    if (users.length + links.length === 0)
      return showNotice(
        'Reminders',
        <p>There is no one to remind: all answers were submitted, or no one is assigned.</p>,
      )
    const reminded = await askFor<Reminded>(`Remind people of ${assessment.name}`, (answer) => (
      <RemindForm targets={targets} invitations={invitations} onAnswer={answer} />
    ))
    if (reminded === null) return
    onDone()
    toast('Reminders sent', count(reminded.sent, 'email', 'emails'))
    if (reminded.left.length > 0) showLeft('Not reminded', reminded.left)
  }
  async function change(
    title: string,
    done: string,
    form: (answer: (result: BulkResult | null) => void) => ReactNode,
  ) {
    const result = await askFor<BulkResult>(title, form)
    if (result === null) return
    onDone()
    if (result.changed.length > 0) toast(done, count(result.changed.length, 'target', 'targets'))
    if (result.left.length > 0) showLeft('Left as they are', result.left)
  }
  return {
    remind: (targets) => void remind(targets),
    reassign: (targets) =>
      void change(`Assign ${count(targets.length, 'target', 'targets')}`, 'People saved', (answer) => (
        <AssignForm targets={targets} onAnswer={answer} />
      )),
    changeDueDate: (targets) =>
      void change('Change due date', 'Due dates changed', (answer) => (
        <DueDateForm targets={targets} dueOn={assessment.dueOn} onAnswer={answer} />
      )),
    changeSize:
      size === null
        ? null
        : (targets) =>
            void change('Change company size', 'Company sizes changed', (answer) => (
              <CompanySizeForm targets={targets} size={size} onAnswer={answer} />
            )),
  }
}
