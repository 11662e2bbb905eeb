import { useMediaQuery } from '@mantine/hooks'
import { IconClipboardCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import type { BoardState } from '#contract/assessments/targets/board-states.ts'
import { assessmentPresence, PRESENCE_EVERY_SECONDS } from '#contract/assessments/targets/presence.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import { assessmentTargets, type Target } from '#contract/assessments/targets/targets.ts'
import { assessmentParticipants, type Invitation } from '#contract/participants/invitations/participants.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useToday } from '#web/session/use-today.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { both, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { ownLock } from '../assessment-labels.ts'
import { targetsOf } from '../../targets/target-query.ts'
import { askedSections, countStates, showTargets } from './board-rows.ts'
import type { BoardSort } from './board-search.ts'
import { BoardBlocks } from './BoardBlocks.tsx'
import { BoardFooter } from './BoardFooter.tsx'
import { BoardToolbar } from './BoardToolbar.tsx'
import { BoardTable } from './BoardTable.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { StateStrip } from './StateStrip.tsx'
import { describeTarget } from './target-status.ts'
import { useBoardKeys } from './use-board-keys.ts'
import { useTargetActions } from './use-target-actions.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import './board.css'

const route = getRouteApi('/shell/assessments/$id')

/** How far each target is, by section, with what can be done about it. */
export function Board({ assessment }: { assessment: Assessment }) {
  const { id } = assessment
  const holds = useHolds()
  const targets = useLoad(targetsOf(id))
  const sections = useLoad(query(assessmentSetup.sections, { id }))
  const invitations = useQuery({
    ...query(assessmentParticipants.list, { assessment: id }),
    enabled: holds(assessmentParticipants.list.allow) === true,
  })
  return (
    <Loaded query={both(targets, sections)} what="the board" shape="spinner">
      {([all, asked]) => {
        if (all.length === 0) {
          return (
            <EmptyState
              tone="brand"
              icon={<IconClipboardCheck size={18} />}
              title="No targets"
              text="This assessment has no organizations or facilities that you can see."
            >
              {ownLock(assessment) === null && (
                <Link to="/assessments/$id" params={{ id }} search={{ tab: 'setup' }}>
                  Choose facilities
                </Link>
              )}
            </EmptyState>
          )
        }
        return (
          <LoadedBoard
            assessment={assessment}
            targets={all}
            sections={askedSections(asked, all)}
            invitations={invitations.data ?? []}
          />
        )
      }}
    </Loaded>
  )
}

type LoadedProps = {
  assessment: Assessment
  targets: readonly Target[]
  sections: readonly { id: string; title: string }[]
  invitations: readonly Invitation[]
}

function LoadedBoard({ assessment, targets, sections, invitations }: LoadedProps) {
  const { search = '', state, sort = 'progress' } = route.useSearch()
  const navigate = route.useNavigate()
  const today = useToday()
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const present = usePresent(assessment)
  const frame = useRef<HTMLDivElement>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const show = (change: { search?: string; state?: BoardState | undefined; sort?: BoardSort }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const shown = showTargets(targets, { search, state, sort })
  const chosen = shown.filter(({ id }) => selected.has(id))
  const lock =
    assessment.status === 'closed' ? 'This assessment is closed. Reopen it first.' : ownLock(assessment)
  const holds = useHolds()
  const mayRemind = lock === null && holds(assessmentTargets.remind.allow) === true
  const maySelect = lock === null && (mayRemind || holds(assessmentTargets.changeDueDate.allow) === true)
  const actions = useTargetActions({ assessment, invitations, onDone: () => setSelected(new Set()) })
  const titles = new Map(sections.map(({ id, title }) => [id, title]))
  const lines = new Map(
    shown.map((target) => [target.id, describeTarget(target, { today, titles, invitations })]),
  )
  const select = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(selected)
    for (const id of ids) {
      if (isOn) next.add(id)
      else next.delete(id)
    }
    setSelected(next)
  }
  useBoardKeys({
    frame,
    onToggle: maySelect ? (id) => select([id], !selected.has(id)) : null,
    onOpen: (targetId) =>
      void navigate({ to: '/assessments/$id/targets/$targetId', params: { id: assessment.id, targetId } }),
    onRemind: () => {
      if (mayRemind) actions.remind(chosen.length > 0 ? chosen : targets)
    },
  })
  const Rows = isNarrow ? BoardBlocks : BoardTable
  return (
    <section className="fc-board-page" aria-label="Board">
      <StateStrip counts={countStates(targets)} chosen={state} onChoose={(next) => show({ state: next })} />
      <BoardToolbar
        targets={targets}
        invitations={invitations}
        lock={lock}
        search={search}
        sort={sort}
        onShow={show}
        onRemind={actions.remind}
      />
      <div className="fc-board-rows" ref={frame}>
        {shown.length === 0 ? (
          <EmptyState
            icon={<IconClipboardCheck size={18} />}
            title="No target matches"
            text={`${count(targets.length, 'target', 'targets')} in total.`}
          >
            <button type="button" className="fc-link" onClick={() => show({ search: '', state: undefined })}>
              Show all targets
            </button>
          </EmptyState>
        ) : (
          <Rows
            targets={shown}
            sections={sections}
            lines={lines}
            present={present}
            selected={selected}
            onSelect={maySelect ? select : null}
          />
        )}
      </div>
      {chosen.length > 0 && (
        <SelectionBar targets={chosen} lock={lock} actions={actions} onClear={() => setSelected(new Set())} />
      )}
      <BoardFooter targets={targets} canSelect={maySelect} />
    </section>
  )
}

/** Who else has targets of an open assessment open now, by target. */
function usePresent({ id, status }: Assessment) {
  const { data = [] } = useQuery({
    ...live(query(assessmentPresence.list, { id }), { ms: PRESENCE_EVERY_SECONDS * 1_000 }),
    enabled: status === 'open',
  })
  return new Map(data.map(({ targetId, people }) => [targetId, people]))
}
