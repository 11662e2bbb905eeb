import { evidence } from '#contract/carbon/activity/evidence.ts'
import { useHolds } from '#web/session/use-session.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'

type Props = { id: string; name: string }

/** The name of an evidence file, which opens it for users who may read it. */
export function EvidenceName({ id, name }: Props) {
  if (useHolds()(evidence.download.allow) !== true) return <bdi>{name}</bdi>
  return (
    <button
      type="button"
      className="fc-text-button"
      onClick={() => void fetchFile(evidence.download, { id }, name).catch(showError)}
    >
      <bdi>{name}</bdi>
    </button>
  )
}
