import { Select } from '@mantine/core'
import type { PhotoVehicle } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'
import { chooseVehicle, type PhotoBatch, type PictureState } from './photo-batch.ts'
import type { Picture, PictureGroup } from './photo-groups.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Photos that need a choice of vehicle, matched photos, and skipped files. */
export function PhotoGroups({ batch }: { batch: PhotoBatch }) {
  const { groups, left } = batch
  const open = groups.filter(({ vehicles }) => vehicles.length > 1)
  const matched = groups.filter(({ vehicles }) => vehicles.length === 1)
  return (
    <>
      {open.length > 0 && (
        <section aria-labelledby="photos-open">
          <h3 id="photos-open">{count(open.length, 'name matches', 'names match')} several vehicles</h3>
          <ul className="fc-photos-groups" aria-labelledby="photos-open">
            {open.map((group) => (
              <li key={group.key}>
                <VehicleSelect batch={batch} group={group} />
                <Names pictures={group.pictures} states={batch.states} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {matched.length > 0 && (
        <section aria-labelledby="photos-sure">
          <h3 id="photos-sure">{count(matched.length, 'vehicle', 'vehicles')} matched</h3>
          <ul className="fc-photos-groups" aria-labelledby="photos-sure">
            {matched.map((group) => (
              <MatchedGroup key={group.key} group={group} states={batch.states} />
            ))}
          </ul>
        </section>
      )}
      {left.length > 0 && (
        <section aria-labelledby="photos-left">
          <h3 id="photos-left">{count(left.length, 'file', 'files')} skipped</h3>
          <ul className="fc-photos-names" aria-labelledby="photos-left">
            {left.map(({ picture, reason }) => (
              <li key={picture.id}>
                <bdi className="fc-cut">{picture.file.name}</bdi>
                <span className="fc-small fc-soft">
                  <bdi>{reason}</bdi>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

type GroupProps = { group: PictureGroup; states: PhotoBatch['states'] }

function MatchedGroup({ group, states }: GroupProps) {
  const [vehicle] = group.vehicles
  if (vehicle === undefined) return null
  return (
    <li>
      <p className="fc-photos-vehicle">
        <Link to="/inventory/vehicle-data/$id" params={{ id: vehicle.id }} search={{ tab: 'media' }}>
          <bdi>{nameOf(vehicle)}</bdi>
        </Link>
        <span className="fc-small fc-soft">
          <bdi>{aboutOf(vehicle)}</bdi>
        </span>
      </p>
      <Names pictures={group.pictures} states={states} />
    </li>
  )
}

function VehicleSelect({ batch, group }: { batch: PhotoBatch; group: PictureGroup }) {
  const { key, vehicles, pictures } = group
  return (
    <Select
      label={`Vehicle for ${pictures[0]?.file.name ?? 'these photos'}`}
      placeholder="Choose a vehicle, or skip"
      clearable
      clearButtonProps={{ 'aria-label': 'Skip these photos' }}
      disabled={batch.phase === 'sending' || batch.phase === 'over'}
      data={vehicles.map((vehicle) => ({
        value: vehicle.id,
        label: `${nameOf(vehicle)}, ${aboutOf(vehicle)}`,
      }))}
      value={batch.chosen.get(key) ?? null}
      onChange={(id) => chooseVehicle(key, id)}
    />
  )
}

/** The photos of a group, with the problems of individual photos. */
function Names({ pictures, states }: { pictures: readonly Picture[]; states: PhotoBatch['states'] }) {
  const wrong = pictures.filter(({ id }) => isTrouble(states.get(id)))
  const added = pictures.filter(({ id }) => states.get(id)?.state === 'added').length
  const size = pictures.reduce((sum, { file }) => sum + file.size, 0)
  const about = `${count(pictures.length, 'photo', 'photos')}, ${formatBytes(size)}`
  return (
    <>
      <details>
        <summary className="fc-small">
          <bdi>{states.size === 0 || added === 0 ? about : `${about}, ${added.toLocaleString()} added`}</bdi>
        </summary>
        <ul className="fc-photos-names">
          {pictures.map(({ id, file }) => (
            <li key={id}>
              <bdi className="fc-cut">{file.name}</bdi>
              <span className="fc-small fc-soft">{labelOf(states.get(id)) || formatBytes(file.size)}</span>
            </li>
          ))}
        </ul>
      </details>
      {wrong.length > 0 && (
        <ul className="fc-photos-names">
          {wrong.map(({ id, file }) => (
            <li key={id}>
              <bdi className="fc-cut">{file.name}</bdi>
              <span
                className={`fc-small${states.get(id)?.state === 'duplicate' ? ' fc-soft' : ' fc-photos-bad'}`}
              >
                <bdi>{states.get(id)?.reason}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const isTrouble = (state: PictureState | undefined): boolean =>
  state !== undefined && ['failed', 'refused', 'duplicate'].includes(state.state)

function labelOf(state: PictureState | undefined): string {
  if (state === undefined) return ''
  const labels = {
    waiting: 'Waiting',
    sending: 'Uploading',
    added: 'Added',
    duplicate: 'Duplicate',
    refused: 'Rejected',
    failed: 'Not uploaded',
  }
  return labels[state.state]
}

function nameOf({ name, stock, vin }: PhotoVehicle): string {
  return name || stock || vin || 'Unnamed vehicle'
}

function aboutOf({ name, stock, vin, lotName, photoCount }: PhotoVehicle): string {
  const number = stock ?? vin
  const photos = photoCount === 0 ? 'no photos yet' : `${count(photoCount, 'photo', 'photos')} so far`
  return [name === '' ? null : number, lotName, photos].filter((word) => word !== null).join(', ')
}
