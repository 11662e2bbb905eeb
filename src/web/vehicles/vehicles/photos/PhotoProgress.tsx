import { count } from '#web/ui/layout/date-format.ts'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'
import '#web/ui/tasks/job-progress.css'
import { addedSoFar, type PhotoBatch } from './photo-batch.ts'

/** The progress of the upload, or its results. */
export function PhotoProgress({ batch }: { batch: PhotoBatch }) {
  const { phase, sent, bytes, states } = batch
  const all = [...states.values()]
  const of = (state: string) => all.filter((one) => one.state === state).length
  if (phase === 'sending') {
    const done = all.length - of('waiting') - of('sending')
    return (
      <div className="fc-photos-progress">
        <p className="fc-row">
          <span className="fc-grow" aria-live="polite">
            Uploading photos
          </span>
          <span className="fc-small fc-soft fc-number">
            <bdi>{`${done.toLocaleString()} of ${count(all.length, 'photo', 'photos')}, ${formatBytes(sent)} of ${formatBytes(bytes)}`}</bdi>
          </span>
        </p>
        <progress
          className="fc-progress"
          aria-label="Upload progress"
          max={Math.max(1, bytes)}
          value={Math.min(sent, bytes)}
        />
      </div>
    )
  }
  const { photos, vehicles } = addedSoFar()
  const words = [
    photos > 0 && `${count(photos, 'photo', 'photos')} added to ${count(vehicles, 'vehicle', 'vehicles')}`,
    of('duplicate') > 0 && `${of('duplicate').toLocaleString()} already on the vehicle`,
    of('refused') > 0 && `${of('refused').toLocaleString()} rejected`,
    of('failed') > 0 && `${of('failed').toLocaleString()} not uploaded`,
  ].filter((word) => word !== false)
  return (
    <div className="fc-photos-progress">
      <output>
        <bdi>{words.join(', ')}</bdi>
      </output>
    </div>
  )
}
