import { capitalize } from '#contract/capitalize.ts'
import { Button, Checkbox } from '@mantine/core'
import { IconBuilding, IconBuildingWarehouse } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import { assessmentSetup, type PlaceChoice } from '#contract/assessments/assessments/setup.ts'
import { assessmentTargets, type BulkResult } from '#contract/assessments/targets/targets.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { SearchField } from '#web/ui/list/SearchField.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { LEVEL_NAMES, TYPE_NAMES } from '#web/organizations/index.ts'
import { ownLock } from '../assessment-labels.ts'
import { showLeft } from '../show-left.tsx'
import { targetsOf } from '../../targets/target-query.ts'
import {
  byOrganization,
  changesOf,
  type Choice,
  choose,
  isWanted,
  keyOfPlace,
  NO_CHOICE,
} from './target-choice.ts'

const addTargets = send(assessmentTargets.add)
const removeTargets = send(assessmentTargets.remove)

type Props = { assessment: Assessment; onSaved?: () => void }

/** Organizations and facilities, of which the checked ones are asked. */
export function TargetPicker({ assessment, onSaved }: Props) {
  const { id } = assessment
  const [search, setSearch] = useState('')
  const [choice, setChoice] = useState<Choice>(NO_CHOICE)
  const { data, error, refetch } = useQuery({
    ...query(assessmentSetup.places, { id, ...(search !== '' && { search }) }),
    placeholderData: keepPreviousData,
  })
  const targets = useQuery(targetsOf(id))
  const { release } = useUnsavedGuard(choice.size > 0)
  const lock = useTargetsLock(assessment)
  const changes = changesOf(choice, targets.data ?? [])
  const save = useMutation({
    mutationFn: () => saveTargets(id, changes),
    onSuccess: async ({ left }) => {
      release()
      // Until the places are read again, they don't say that they are targets.
      await queryClient.invalidateQueries({ queryKey: keyOf(assessmentSetup.places) })
      setChoice(NO_CHOICE)
      if (left.length > 0) showLeft('Not removed', left)
      else toast('Targets saved', assessment.name)
      if (left.length === 0) onSaved?.()
    },
    onError: (failure) => showError(failure),
  })
  const failed = error ?? targets.error
  if (failed && !data) {
    return (
      <FailureState
        failure={failed}
        endpoint={assessmentSetup.places}
        what="the organizations and facilities"
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) return <Spinner label="Loading the organizations" />
  const toggle = (places: readonly PlaceChoice[], wanted: boolean) =>
    setChoice(choose(choice, places, wanted))
  return (
    <section className="fc-target-picker" aria-label="Targets">
      <div className="fc-toolbar">
        <SearchField
          label="Search organizations and facilities"
          placeholder="Name, city"
          value={search}
          onSearch={setSearch}
        />
        {data.total > data.places.length && (
          <span className="fc-small fc-soft">
            Showing {data.places.length.toLocaleString()} of {data.total.toLocaleString()}. Search to find the
            others.
          </span>
        )}
      </div>
      {data.places.length === 0 && (
        <EmptyState
          icon={<IconBuilding size={18} />}
          title={`No organization or facility matches “${search}”`}
          text="Search for another name or city."
        >
          <Button variant="default" onClick={() => setSearch('')}>
            Clear search
          </Button>
        </EmptyState>
      )}
      <div className="fc-place-groups">
        {byOrganization(data.places).map((group) => (
          <PlaceGroup key={group.id} group={group} choice={choice} lock={lock} onToggle={toggle} />
        ))}
      </div>
      {choice.size > 0 && (
        <SaveBar
          title={count(choice.size, 'change', 'changes')}
          line={describe(changes)}
          for={assessmentTargets.add}
          isSaving={save.isPending}
          onSave={() => save.mutate()}
          onDiscard={() => setChoice(NO_CHOICE)}
        />
      )}
    </section>
  )
}

/** Why targets can’t be changed, as a sentence; null if they can. */
function useTargetsLock(assessment: Assessment): string | null {
  const mayChange = useHolds()(assessmentTargets.add.allow) === true
  if (assessment.status === 'closed') return 'Reopen the assessment to change its targets.'
  return ownLock(assessment) ?? (mayChange ? null : "You don't have permission to change targets.")
}

type Changes = ReturnType<typeof changesOf>

async function saveTargets(assessmentId: string, { added, removed }: Changes): Promise<BulkResult> {
  if (added.length > 0) {
    await addTargets({
      assessmentId,
      targets: added.map(({ organizationId, facilityId }) => ({ organizationId, facilityId })),
    })
  }
  return removed.length > 0 ? removeTargets({ ids: removed }) : { changed: [], left: [] }
}

function describe({ added, removed }: Changes): string {
  const parts = [
    added.length > 0 && `add ${count(added.length, 'target', 'targets')}`,
    removed.length > 0 && `remove ${count(removed.length, 'target', 'targets')}`,
  ].filter((part) => part !== false)
  const [first = ''] = parts
  return [capitalize(first), ...parts.slice(1)].join(', ')
}

type GroupProps = {
  group: ReturnType<typeof byOrganization>[number]
  choice: Choice
  lock: string | null
  onToggle: (places: readonly PlaceChoice[], wanted: boolean) => void
}

function PlaceGroup({ group: { name, places }, choice, lock, onToggle }: GroupProps) {
  const facilities = places.filter(({ facilityId }) => facilityId !== null)
  const isAll = facilities.length > 0 && facilities.every((place) => isWanted(choice, place))
  return (
    <fieldset className="fc-place-group">
      <legend>
        <bdi>{name}</bdi>
      </legend>
      {facilities.length > 1 && lock === null && (
        <button type="button" className="fc-link" onClick={() => onToggle(facilities, !isAll)}>
          {isAll ? 'Clear all facilities' : `Select all ${facilities.length.toLocaleString()} facilities`}
        </button>
      )}
      <ul>
        {places.map((place) => (
          <li key={keyOfPlace(place)}>
            <Checkbox
              checked={isWanted(choice, place)}
              disabled={lock !== null}
              title={lock ?? undefined}
              onChange={({ currentTarget }) => onToggle([place], currentTarget.checked)}
              label={<PlaceLabel place={place} />}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

function PlaceLabel({ place: { facilityId, name, level, type, city } }: { place: PlaceChoice }) {
  const Icon = facilityId === null ? IconBuilding : IconBuildingWarehouse
  const kind = type === null ? level && LEVEL_NAMES[level] : TYPE_NAMES[type]
  const about = facilityId === null ? 'The organization as a whole' : [kind, city].filter(Boolean).join(', ')
  return (
    <span className="fc-place">
      <Icon size={16} stroke={1.6} aria-hidden="true" />
      <span>
        <bdi>{name}</bdi>
        {about !== '' && (
          <span className="fc-second">
            <bdi>{about}</bdi>
          </span>
        )}
      </span>
    </span>
  )
}
