import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import {
  carbonAssignments,
  type EmissionSource,
  type FactorGap,
  type InventoryFacility,
} from '#contract/carbon/inventories/assignments.ts'
import {
  carbonInventories,
  type CarbonUser,
  type Inventory,
} from '#contract/carbon/inventories/inventories.ts'
import { type CustomSource, customSources } from '#contract/carbon/inventories/custom-sources.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { describeRequirement } from '#web/ui/controls/permission-of.ts'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { frozenBecause } from '../inventory-labels.ts'
import { RequestBar } from '#web/carbon/activity/requests/RequestBar.tsx'
import { useRequests } from '#web/carbon/activity/requests/use-requests.tsx'
import {
  type Cell,
  type Draft,
  newCell,
  NO_DRAFT,
  putCells,
  readCell,
  sourcesByKey,
  suggest,
} from './assignment-draft.ts'
import { AssignmentMatrix } from './AssignmentMatrix.tsx'
import { type CellChanges, CellForm } from './CellForm.tsx'
import { gapsByCell, lacksFactor, openGaps } from './factor-gaps.ts'
import { FactorGapList } from './FactorGapList.tsx'
import type { CellKeys } from './MatrixHead.tsx'
import { ReceivedLegend } from './ReceivedMark.tsx'
import { activityOfType, sourceGroups, type SourceRow, titleOfType } from './source-rows.ts'
import { SuggestionBar } from './SuggestionBar.tsx'
import type { AssignmentDraft } from './use-assignment-draft.ts'
import { useCustomSources } from './use-custom-sources.tsx'
import { useSaveAssignments } from './use-save-assignments.ts'

type Props = {
  inventory: Inventory
  facilities: readonly InventoryFacility[]
  sources: readonly EmissionSource[]
  draft: AssignmentDraft
}

/** The number of facility columns per page. */
const FACILITIES_PER_PAGE = 20

/** The assignment matrix: suggested by facility type, edited in place, saved in one call. */
export function AssignmentsTab({ inventory, facilities, sources, draft: assignmentDraft }: Props) {
  const { draft, change, clear, isAsking } = assignmentDraft
  const holds = useHolds()
  const [page, setPage] = useState(0)
  const { data: people = [] } = useQuery(
    query(carbonInventories.people, { organization: inventory.organizationId }),
  )
  const { data: factorGaps = NO_GAPS } = useQuery(
    query(carbonAssignments.factorGaps, { inventory: inventory.id }),
  )
  const gaps = useMemo(() => gapsByCell(factorGaps), [factorGaps])
  const { save, isSaving } = useSaveAssignments(inventory.id, assignmentDraft)
  const requests = useRequests(inventory.id)
  const custom = useCustomSources({ inventoryId: inventory.id, facilities })
  const { customs } = custom
  const saved = sourcesByKey(sources)
  const frozen = frozenBecause(inventory)
  const isReadOnly = frozen !== null || holds(carbonAssignments.save.allow) !== true
  const changes = Object.keys(draft).length
  const isEmpty = sources.length === 0 && changes === 0 && !isReadOnly && !isAsking
  const proposed = isEmpty ? suggest(facilities, notRelevantIn(inventory)) : NONE
  const suggestions = Object.keys(proposed).length
  const assigned = new Set([...saved.keys(), ...Object.keys(draft), ...Object.keys(proposed)])
  const lacking = openGaps(
    [...assigned].map((key) => [key, readCell(saved, draft, key) ?? proposed[key] ?? null] as const),
    gaps,
  )
  /** The draft including the suggestions: editing one suggestion accepts all of them. */
  const draftWithSuggestions = (): Draft => putCells(saved, draft, proposed)
  /** Requests the data of saved cells only. */
  const ask = (keys: CellKeys) =>
    void requests.ask(keys.flatMap((key) => (draft[key] ? [] : (requests.byKey.get(key) ?? []))))
  const names = namesOf(sources, people)

  function tick(keys: CellKeys, isTicked: boolean) {
    const base = draftWithSuggestions()
    const cells = keys.map((key): [string, Cell | null] => {
      const [, sourceType = ''] = key.split('/')
      return [key, isTicked ? (readCell(saved, base, key) ?? newCell(sourceType)) : null]
    })
    change(putCells(saved, base, Object.fromEntries(cells)))
  }

  async function edit(keys: CellKeys) {
    const base = draftWithSuggestions()
    const [only = ''] = keys
    const cell = keys.length === 1 ? readCell(saved, base, only) : null
    const title = keys.length === 1 ? placeOf(only, facilities, customs) : `Edit ${keys.length} assignments`
    const activity = keys.length === 1 ? activityOf(only, { facilities, saved, customs }) : null
    const request = keys.length === 1 && !draft[only] ? requests.byKey.get(only) : undefined
    const gap = cell !== null && lacksFactor(cell) ? (gaps.get(only) ?? null) : null
    const answer = await askFor<CellChanges | 'remove' | 'ask'>(title, (onAnswer) => (
      <CellForm
        cell={cell}
        people={people}
        activity={activity}
        gap={gap}
        isAskable={request?.problem === null}
        problem={request?.dataOwnerId == null ? null : request.problem}
        onAnswer={onAnswer}
      />
    ))
    if (answer === null) return
    if (answer === 'ask') return ask(keys)
    if (answer === 'remove') return tick(keys, false)
    const cells = keys.flatMap((key): [string, Cell][] => {
      const now = readCell(saved, base, key)
      return now === null ? [] : [[key, { ...now, ...answer }]]
    })
    change(putCells(saved, base, Object.fromEntries(cells)))
  }

  const actionsOf = useSourceActions(custom, changes > 0)

  return (
    <section className="fc-carbon-section" aria-label="Assignments">
      {frozen && <Notice>{frozen}</Notice>}
      {!frozen && isReadOnly && (
        <Notice>View only. Editing requires {describeRequirement(carbonAssignments.save.allow)}.</Notice>
      )}
      {(sources.length > 0 || !isReadOnly) && (
        <AssignmentBar
          {...{ requests, isReadOnly }}
          isFrozen={frozen !== null}
          hasSources={sources.length > 0}
          hasGaps={lacking.length > 0}
          lock={changes > 0 ? 'Save your changes first.' : null}
          onAdd={() => void custom.add()}
        />
      )}
      <FacilityPager page={page} total={facilities.length} onPage={setPage} />
      {custom.error && (
        <FailureState
          failure={custom.error}
          endpoint={customSources.list}
          what="the custom sources"
          onRetry={() => void custom.refetch()}
        />
      )}
      <FactorGapList gaps={lacking} />
      <AssignmentMatrix
        groups={sourceGroups(customs, sources)}
        actionsOf={actionsOf}
        gaps={gaps}
        facilities={facilities.slice(page * FACILITIES_PER_PAGE, (page + 1) * FACILITIES_PER_PAGE)}
        sources={saved}
        draft={draft}
        proposed={proposed}
        names={names}
        isReadOnly={isReadOnly}
        onTick={tick}
        onEdit={(keys) => void edit(keys)}
        requests={requests.byKey}
        onAsk={ask}
      />
      {suggestions > 0 && (
        <SuggestionBar
          count={suggestions}
          lacking={lacking.reduce((sum, one) => sum + one.facilities, 0)}
          isSaving={isSaving}
          onSave={() => save(putCells(saved, NO_DRAFT, proposed))}
          onChange={() => change(draftWithSuggestions())}
        />
      )}
      {changes > 0 && (
        <SaveBar
          title={count(changes, 'assignment change', 'assignment changes')}
          line="All changes are saved together."
          for={carbonAssignments.save}
          isSaving={isSaving}
          onSave={() => save(draft)}
          onDiscard={clear}
        />
      )}
    </section>
  )
}

const NONE: Readonly<Record<string, Cell>> = {}
const NO_GAPS: readonly FactorGap[] = []

const notRelevantIn = ({ scope3 }: Inventory): ReadonlySet<number> =>
  new Set(scope3.filter(({ relevance }) => relevance === 'not_relevant').map(({ category }) => category))

/** "Electricity at Auburn Boulevard". */
function placeOf(
  key: string,
  facilities: readonly InventoryFacility[],
  customs: readonly CustomSource[],
): string {
  const [facilityId, sourceType = ''] = key.split('/')
  const facility = facilities.find(({ id }) => id === facilityId)
  return `${titleOfType(sourceType, customs)} at ${facility?.name ?? 'a facility'}`
}

type BarProps = {
  requests: ReturnType<typeof useRequests>
  isReadOnly: boolean
  isFrozen: boolean
  hasSources: boolean
  hasGaps: boolean
  lock: string | null
  onAdd: () => void
}

/** Adds a source, requests data, and explains the marks. */
function AssignmentBar({ requests, isReadOnly, isFrozen, hasSources, hasGaps, lock, onAdd }: BarProps) {
  return (
    <div className="fc-toolbar fc-matrix-bar">
      {!isFrozen && (
        <Action
          for={customSources.add}
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          lock={lock}
          onClick={onAdd}
        >
          Add source
        </Action>
      )}
      {!isReadOnly && hasSources && (
        <RequestBar
          cells={requests.cells}
          lock={lock}
          onAsk={(cells) => void requests.ask(cells)}
          onRemind={(cells) => void requests.remind(cells)}
        />
      )}
      {hasSources && <ReceivedLegend hasGaps={hasGaps} />}
    </div>
  )
}

/** The actions on custom sources that the user may take; none while there are unsaved changes. */
function useSourceActions(custom: ReturnType<typeof useCustomSources>, isChanged: boolean) {
  const holds = useHolds()
  return ({ custom: source }: SourceRow) => {
    if (source === null || isChanged) return []
    return [
      ...(holds(customSources.update.allow) === true
        ? [{ label: 'Edit source', onClick: () => void custom.edit(source) }]
        : []),
      ...(holds(customSources.remove.allow) === true
        ? [{ label: 'Remove source', onClick: () => void custom.remove(source) }]
        : []),
    ]
  }
}

type SavedAssignments = {
  facilities: readonly InventoryFacility[]
  saved: ReturnType<typeof sourcesByKey>
  customs: readonly CustomSource[]
}

/** The activity path of the source, or the default for a new one. */
function activityOf(key: string, { facilities, saved, customs }: SavedAssignments): string | null {
  const [facilityId, sourceType = ''] = key.split('/')
  const country = facilities.find(({ id }) => id === facilityId)?.country ?? null
  return saved.get(key)?.activity ?? activityOfType(sourceType, country, customs)
}

/** The names of users by ID: data owners, also former ones, and those who can be chosen. */
function namesOf(sources: readonly EmissionSource[], people: readonly CarbonUser[]): Map<string, string> {
  return new Map([
    ...sources.flatMap(({ dataOwnerId, dataOwnerName }) =>
      dataOwnerId === null || dataOwnerName === null ? [] : [[dataOwnerId, dataOwnerName] as const],
    ),
    ...people.map(({ id, name }) => [id, name] as const),
  ])
}

/** Pages through the facilities. Nothing if one page has all of them. */
function FacilityPager({
  page,
  total,
  onPage,
}: {
  page: number
  total: number
  onPage: (page: number) => void
}) {
  if (total <= FACILITIES_PER_PAGE) return null
  const next = (page + 1) * FACILITIES_PER_PAGE
  return (
    <div className="fc-toolbar">
      <span className="fc-grow fc-small fc-soft">
        <bdi>
          {page * FACILITIES_PER_PAGE + 1} to {Math.min(next, total)} of{' '}
          {count(total, 'facility', 'facilities')}
        </bdi>
      </span>
      <Button variant="default" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous facilities
      </Button>
      <Button variant="default" disabled={next >= total} onClick={() => onPage(page + 1)}>
        Next facilities
      </Button>
    </div>
  )
}
