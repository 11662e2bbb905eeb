import { Link } from '#web/ui/controls/Link.tsx'
import '#web/ui/record/record-page.css'

/** The tab of a source's drawer; undefined is Settings. */
export type SourcePart = 'deliveries'

const PARTS = [
  { part: undefined, title: 'Settings' },
  { part: 'deliveries', title: 'Deliveries' },
] as const

/** The tabs of a source's drawer. */
export function SourceParts({ id, part }: { id: string; part: SourcePart | undefined }) {
  return (
    <nav className="fc-tabs fc-source-tabs" aria-label="Sections of this feed source">
      {PARTS.map((one) => (
        <Link
          key={one.title}
          from="/inventory/feeds/sources"
          to="/inventory/feeds/sources"
          search={(before) => ({ ...before, source: id, part: one.part })}
          activeOptions={{ exact: true, includeSearch: true }}
          {...(one.part === part && { 'aria-current': 'page' as const })}
        >
          {one.title}
        </Link>
      ))}
    </nav>
  )
}
