import { Button } from '@mantine/core'
import { IconBuilding, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Assessment,
  assessments,
  type UnanswerableTarget,
} from '#contract/assessments/assessments/assessments.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import { assessmentTargets, type BulkResult, type Target } from '#contract/assessments/targets/targets.ts'
import { type OrganizationSize, SIZE_CHOICES } from '#contract/questions/vocabulary.ts'
import { labelOf } from '#contract/record.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { RowCheck } from '#web/ui/list/selection/RowCheck.tsx'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { ownLock } from '../assessment-labels.ts'
import { showLeft } from '../show-left.tsx'
import { targetsOf } from '../../targets/target-query.ts'
import { CompanySizeForm } from '../board/CompanySizeForm.tsx'
import { AssignForm } from './AssignForm.tsx'
import { TargetPeopleDrawer } from './TargetPeopleDrawer.tsx'

type Props = { assessment: Assessment }

/** The targets with who answers and reviews, and why no one can answer some of them. */
export function TargetPeopleTable({ assessment }: Props) {
  const { id } = assessment
  const check = useQuery(query(assessments.check, { id }))
  return (
    <Loaded query={targetsOf(id)} what="the targets" shape="spinner">
      {(targets) => {
        if (targets.length === 0) {
          return (
            <EmptyState
              icon={<IconUsers size={18} />}
              title="No targets yet"
              text="Choose the organizations and facilities first."
            />
          )
        }
        return <LoadedTable assessment={assessment} targets={targets} unanswerable={check.data ?? null} />
      }}
    </Loaded>
  )
}

type LoadedProps = {
  assessment: Assessment
  targets: readonly Target[]
  /** Null until it is known. */
  unanswerable: readonly UnanswerableTarget[] | null
}

function LoadedTable({ assessment, targets, unanswerable }: LoadedProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<string | null>(null)
  const lock = usePeopleLock(assessment)
  const selected = targets.filter((target) => chosen.has(target.id))
  const reasons = new Map((unanswerable ?? []).map(({ targetId, reason }) => [targetId, reason]))
  const opened = targets.find((target) => target.id === open)
  const assigned = selected.length > 0 ? selected : targets
  const assign = async () => {
    if (await assignPeople(assigned)) setChosen(new Set())
  }
  const resize = async () => {
    if (await resizeTargets(assigned, assessment.size)) setChosen(new Set())
  }
  return (
    <section className="fc-people-section" aria-label="People by target">
      <div className="fc-toolbar">
        <span className="fc-grow fc-small fc-soft" aria-live="polite">
          <bdi>{unanswerable && describe(targets.length, reasons.size)}</bdi>
        </span>
        {assessment.size !== null && (
          <Action
            for={assessmentTargets.changeSize}
            variant="default"
            lock={lock}
            leftSection={<IconBuilding size={16} aria-hidden="true" />}
            onClick={() => void resize()}
          >
            Change company size
          </Action>
        )}
        <Action
          for={assessmentSetup.addPerson}
          variant="default"
          lock={lock}
          leftSection={<IconUserPlus size={16} aria-hidden="true" />}
          onClick={() => void assign()}
        >
          {selected.length > 0
            ? `Assign ${selected.length.toLocaleString()} selected`
            : `Assign all ${count(targets.length, 'target', 'targets')}`}
        </Action>
      </div>
      <div className="fc-people-frame">
        <table className="fc-people-table" aria-label="People by target">
          <TableHead
            selected={selected.length}
            total={targets.length}
            onAll={(isOn) => setChosen(new Set(isOn ? targets.map(({ id }) => id) : []))}
          />
          <tbody>
            {targets.map((target) => (
              <PeopleRow
                key={target.id}
                target={target}
                reason={reasons.get(target.id) ?? null}
                isLocked={lock !== null}
                isChosen={chosen.has(target.id)}
                onChoose={(isOn) => setChosen(toggled(chosen, target.id, isOn))}
                onOpen={() => setOpen(target.id)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {opened && (
        <TargetPeopleDrawer
          key={opened.id}
          target={opened}
          assessment={assessment}
          lock={lock}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  )
}

/** Why people can’t be changed, as a sentence; null if they can. */
function usePeopleLock(assessment: Assessment): string | null {
  const mayChange = useHolds()(assessmentTargets.setPeople.allow) === true
  if (assessment.status === 'closed') return 'Reopen the assessment to change its people.'
  return ownLock(assessment) ?? (mayChange ? null : "You don't have permission to change people.")
}

/** Asks for a person and a role. @returns whether anything was changed */
async function assignPeople(targets: readonly Target[]): Promise<boolean> {
  const result = await askFor<BulkResult>(
    `Assign ${count(targets.length, 'target', 'targets')}`,
    (answer) => <AssignForm targets={targets} onAnswer={answer} />,
  )
  return showResult('People saved', result)
}

/** Asks for a company size. @returns whether anything was changed */
async function resizeTargets(targets: readonly Target[], size: OrganizationSize | null): Promise<boolean> {
  if (size === null) return false
  const result = await askFor<BulkResult>(
    `Company size of ${count(targets.length, 'target', 'targets')}`,
    (answer) => <CompanySizeForm targets={targets} size={size} onAnswer={answer} />,
  )
  return showResult('Company sizes changed', result)
}

function showResult(done: string, result: BulkResult | null): boolean {
  if (result === null) return false
  if (result.left.length > 0) showLeft('Left as they are', result.left)
  else toast(done, count(result.changed.length, 'target', 'targets'))
  return true
}

type HeadProps = { selected: number; total: number; onAll: (isOn: boolean) => void }

function TableHead({ selected, total, onAll }: HeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col" className="fc-people-check">
          <RowCheck
            label="Select all targets"
            isOn={selected === total}
            isMixed={selected > 0 && selected < total}
            onChange={onAll}
          />
        </th>
        <th scope="col">Target</th>
        <th scope="col">Owner</th>
        <th scope="col">Contributors and readers</th>
        <th scope="col">Reviewers</th>
        <th scope="col">
          <span className="fc-hidden">Edit</span>
        </th>
      </tr>
    </thead>
  )
}

function toggled(chosen: ReadonlySet<string>, id: string, isOn: boolean): ReadonlySet<string> {
  const next = new Set(chosen)
  if (isOn) next.add(id)
  else next.delete(id)
  return next
}

function describe(targets: number, unanswerable: number): string {
  if (unanswerable === 0)
    return targets === 1
      ? 'The target can be answered.'
      : `All ${count(targets, 'target', 'targets')} can be answered.`
  return `No one can answer ${unanswerable.toLocaleString()} of ${count(targets, 'target', 'targets')}.`
}

type RowProps = {
  target: Target
  reason: string | null
  isLocked: boolean
  isChosen: boolean
  onChoose: (isOn: boolean) => void
  onOpen: () => void
}

function PeopleRow({ target, reason, isLocked, isChosen, onChoose, onOpen }: RowProps) {
  const { name, organizationName, facilityId, people, size } = target
  const named = (...roles: string[]) =>
    people
      .filter(({ role }) => roles.includes(role))
      .map((person) => person.name)
      .join(', ')
  return (
    <tr data-selected={isChosen || undefined}>
      <td className="fc-people-check">
        <RowCheck label={`Select ${name}`} isOn={isChosen} onChange={onChoose} />
      </td>
      <th scope="row">
        <bdi>{name}</bdi>
        {facilityId !== null && (
          <span className="fc-second">
            <bdi>{organizationName}</bdi>
          </span>
        )}
        {size !== null && (
          <span className="fc-second">
            <bdi>{labelOf(SIZE_CHOICES, size)}</bdi>
          </span>
        )}
        {reason !== null && (
          <span className="fc-people-reason">
            <Status tone="warn" mark="alert">
              <bdi>{reason}</bdi>
            </Status>
          </span>
        )}
      </th>
      <Names label="Owner" names={named('owner')} />
      <Names label="Contributors and readers" names={named('contributor', 'reader')} />
      <Names label="Reviewers" names={named('reviewer')} />
      <td>
        <Button
          variant="default"
          size="compact-sm"
          onClick={onOpen}
          aria-label={`${isLocked ? 'View' : 'Edit'} people of ${name}`}
        >
          {isLocked ? 'View' : 'Edit'}
        </Button>
      </td>
    </tr>
  )
}

function Names({ label, names }: { label: string; names: string }) {
  return (
    <td data-label={label} data-empty={names === '' || undefined}>
      {names === '' ? <span className="fc-faint">None</span> : <bdi>{names}</bdi>}
    </td>
  )
}
