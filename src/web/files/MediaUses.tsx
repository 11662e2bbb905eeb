import type { FileNode, MediaUse, MediaUses } from '#contract/files/files.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { readUses } from '#web/ui/files/media/file-manager.ts'
import { showNotice } from '#web/ui/overlay/dialogs.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** Shows what uses a file, or files in a folder. */
export async function showUses({ path, name }: FileNode): Promise<void> {
  const found = await readUses(path)
  if (found !== null) showFoundUses(name, found)
}

/** Shows what was found to use a file. */
export function showFoundUses(name: string, found: MediaUses): void {
  showNotice(`Where ${name} is used`, <UseList found={found} />)
}

/**
 * Whether nothing uses a file or folder, so that it can be changed. What uses it is shown instead, and so is why that can't be read.
 * @param act what was to be done: "deleted"
 */
export async function isUnused({ path, name }: FileNode, act: string): Promise<boolean> {
  const found = await readUses(path)
  if (found !== null && found.total > 0)
    showNotice(`${name} is used and can't be ${act}`, <UseList found={found} />)
  return found?.total === 0
}

function UseList({ found: { total, uses } }: { found: MediaUses }) {
  if (total === 0) return <p>No vehicle, page or layout shows it.</p>
  return (
    <>
      <p>{count(total, 'vehicle or page shows it.', 'vehicles and pages show it.')}</p>
      <ul>
        {uses.map((use) => (
          <li key={`${use.kind} ${use.id}`}>{linkTo(use)}</li>
        ))}
      </ul>
      {total > uses.length && (
        <p className="fc-small fc-soft">
          {count(total - uses.length, 'other is', 'others are')} not named here.
        </p>
      )}
    </>
  )
}

function linkTo({ kind, id, title }: MediaUse) {
  const name = <bdi>{title}</bdi>
  if (kind === 'vehicle')
    return (
      <Link to="/inventory/vehicle-data/$id" params={{ id }}>
        {name}
      </Link>
    )
  if (kind === 'promoPage')
    return (
      <Link to="/administration/promo-pages/$id" params={{ id }}>
        {name}
      </Link>
    )
  if (kind === 'savedBlocks')
    return (
      <Link to="/administration/saved-blocks" search={{ saved: id }}>
        {name}
      </Link>
    )
  return (
    <Link to="/administration/dvp-layouts" search={{ layout: id }}>
      {name}
    </Link>
  )
}
