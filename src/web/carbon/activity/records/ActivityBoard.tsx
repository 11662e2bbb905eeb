import { Select } from '@mantine/core'
import { IconFileImport, IconLeaf } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { activities, MAX_ROWS } from '#contract/carbon/activity/activity.ts'
import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import { carbonAssignments, type EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { makeUnitTable } from '#contract/carbon/factors/unit-table.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { both, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { ActivitySheet } from './ActivitySheet.tsx'
import './activity.css'

const ImportDrawer = lazy(async () => ({
  default: (await import('../imports/ImportDrawer.tsx')).ImportDrawer,
}))

type Props = {
  inventoryId: string
  /** The inventory is read-only. */
  isFrozen: boolean
  /** Show only these sources; null shows all. */
  only: ReadonlySet<string> | null
  /** The open source, from the URL; the first one by default. */
  source: string | undefined
  onSource: (id: string) => void
  /** The import drawer is open. */
  isImporting: boolean
  onImport: (isOpen: boolean) => void
}

/** The records of one source at a time, as an editable grid; on a phone as forms. */
export function ActivityBoard(props: Props) {
  const { inventoryId, isFrozen, only, source: wanted, onSource, isImporting, onImport } = props
  // Counts imports: the grid keeps the rows it opened with, so it is remounted after each import.
  const [imports, setImports] = useState(0)
  const sources = useLoad(query(carbonAssignments.sources, { inventory: inventoryId }))
  const facilities = useLoad(query(carbonAssignments.facilities, { inventory: inventoryId }))
  const names = useMemo(() => new Map(facilities.data?.map(({ id, name }) => [id, name])), [facilities.data])
  return (
    <Loaded query={both(sources, facilities)} what="the sources" shape="spinner">
      {([all]) => {
        const shown = only === null ? all : all.filter(({ id }) => only.has(id))
        const source = shown.find(({ id }) => id === wanted) ?? shown[0]
        if (!source) {
          return (
            <EmptyState
              icon={<IconLeaf size={18} />}
              title="No sources yet"
              text="On the Assignments tab, select the emission sources of each facility. Then enter their activity data here."
            >
              {null}
            </EmptyState>
          )
        }
        return (
          <div className="fc-activity">
            <div className="fc-toolbar">
              <Select
                aria-label="Source"
                className="fc-activity-source"
                data={choicesOf(shown, names)}
                value={source.id}
                allowDeselect={false}
                searchable
                onChange={(id) => {
                  if (id !== null) onSource(id)
                }}
              />
              <span className="fc-grow fc-small fc-soft">{sourceSummary(source)}</span>
              <Action
                for={activityImports.add}
                variant="default"
                leftSection={<IconFileImport size={16} aria-hidden="true" />}
                lock={isFrozen ? 'The inventory is locked.' : null}
                onClick={() => onImport(true)}
              >
                Import
              </Action>
            </div>
            {isImporting && !isFrozen && (
              <Suspense>
                <ImportDrawer
                  inventoryId={inventoryId}
                  sourceId={source.id}
                  onClose={() => onImport(false)}
                  onChanged={() => setImports((before) => before + 1)}
                />
              </Suspense>
            )}
            <Records
              key={`${source.id} ${imports}`}
              source={source}
              isFrozen={isFrozen}
              label={titleOf(source, names)}
            />
          </div>
        )
      }}
    </Loaded>
  )
}

const titleOf = (source: EmissionSource, names: ReadonlyMap<string, string>) =>
  `${sourceTitle(source)}, ${names.get(source.facilityId) ?? ''}`

/** Options grouped by facility. */
function choicesOf(sources: readonly EmissionSource[], names: ReadonlyMap<string, string>) {
  const groups = Map.groupBy(sources, ({ facilityId }) => facilityId)
  return [...groups].map(([id, own]) => ({
    group: names.get(id) ?? '',
    items: own.map((source) => ({ value: source.id, label: titleOf(source, names) })),
  }))
}

const FREQUENCIES = { month: 'Monthly', quarter: 'Quarterly', year: 'Yearly', once: 'Once' } as const

function sourceSummary({ scope, frequency, dataOwnerName, dueOn }: EmissionSource): string {
  const due = dueOn === null ? [] : [`due ${writeDay(dueOn)}`]
  return [`Scope ${scope}`, FREQUENCIES[frequency], dataOwnerName ?? 'no data owner', ...due].join(', ')
}

type RecordsProps = { source: EmissionSource; isFrozen: boolean; label: string }

function Records({ source, isFrozen, label }: RecordsProps) {
  const { claims } = useSession()
  const input = { inventoryId: source.inventoryId, sourceId: source.id, pageSize: MAX_ROWS }
  // The grid keeps the rows it opened with: a refetch must not replace rows that are being edited.
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    ...query(activities.list, input),
    // It must not open with rows from before the last save either.
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const measures = useQuery({ ...query(factors.measures, {}), staleTime: Number.POSITIVE_INFINITY })
  const units = useMemo(() => {
    const usual = source.unit
    const dimension = measures.data?.units.find(({ code }) => code === usual)?.dimension
    const others = measures.data?.units.filter((unit) => unit.dimension === dimension && unit.code !== usual)
    return [usual, ...(others ?? []).map(({ code }) => code)]
  }, [measures.data, source.unit])
  const unitTable = useMemo(
    () => makeUnitTable({ units: measures.data?.units ?? [], aliases: measures.data?.aliases ?? [] }),
    [measures.data],
  )
  const isMoney = measures.data?.units.find(({ code }) => code === source.unit)?.dimension === 'money'
  if (error && !data) {
    return (
      <FailureState
        failure={error}
        endpoint={activities.list}
        what="the records"
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data || !isFetchedAfterMount || measures.isPending) return <Spinner label="Loading the records" />
  return (
    <>
      {data.filteredRows > data.results.length && (
        <p className="fc-activity-note">
          The first {data.results.length.toLocaleString()} of {data.filteredRows.toLocaleString()} records.
        </p>
      )}
      <ActivitySheet
        source={source}
        records={data.results}
        units={units}
        unitTable={unitTable}
        isMoney={isMoney}
        isFrozen={isFrozen}
        label={label}
        draftKey={`activity.${source.inventoryId}.${source.id}.${claims?.userId ?? ''}`}
      />
    </>
  )
}
