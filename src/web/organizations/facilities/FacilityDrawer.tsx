import { facilities, type Facility } from '#contract/organizations/facilities/facilities.ts'
import type { Consolidation } from '#contract/organizations/facilities/inclusion.ts'
import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import { query } from '#web/api/query.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { FacilityForm } from './FacilityForm.tsx'
import { LEVEL_NAMES } from './facility-labels.ts'

type Props = {
  /** A facility's ID, or `new`. */
  id: string
  organization: OrganizationProfile
  /** All facilities of the organization. */
  others: readonly Facility[]
  approach: Consolidation
  /** `isSaved`: there are no unsaved changes to warn about. */
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
}

/** The form of one facility, or of a new one. */
export function FacilityDrawer({ id, onClose, ...rest }: Props) {
  const isNew = id === 'new'
  const load = useLoad({
    ...query(facilities.get, { id }),
    enabled: !isNew,
    // The form must start with the current facility, not with a cached one.
    gcTime: 0,
  })
  const { data } = load
  const close = () => onClose(false)
  if (isNew) {
    return (
      <FormDrawer
        title="New facility"
        about={<bdi>{`In ${rest.organization.name}`}</bdi>}
        onClose={close}
        size={640}
      >
        <FacilityForm facility={null} onClose={onClose} {...rest} />
      </FormDrawer>
    )
  }
  return (
    <FormDrawer
      title={data?.name ?? 'Facility'}
      about={data && <bdi>{describe(data)}</bdi>}
      onClose={close}
      size={640}
    >
      <Loaded query={load} what="this facility" shape="spinner">
        {(loaded) => (
          <LoadedRecord key={loaded.id} record={loaded}>
            {(facility, keep) => (
              <FacilityForm
                facility={facility}
                onKept={(kept) => {
                  keep(kept)
                  holdFocus()
                }}
                onClose={onClose}
                {...rest}
              />
            )}
          </LoadedRecord>
        )}
      </Loaded>
    </FormDrawer>
  )
}

function describe({ level, code, updatedAt, updatedBy }: Facility): string {
  const by = updatedBy === null ? '' : ` by ${updatedBy}`
  return `${LEVEL_NAMES[level]} ${code}, changed ${formatDay(updatedAt)}${by}`
}

/** Saving remounts the form and removes the focused button. Focuses the drawer, so that Escape still closes it. */
function holdFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('.fc-drawer[role="dialog"]')?.focus()
  })
}
