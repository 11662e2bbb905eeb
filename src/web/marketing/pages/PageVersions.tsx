import { type PageVersion, type PromoPage, promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { query } from '#web/api/query.ts'
import { DocumentVersions, type ShownVersion } from '#web/ui/document/DocumentVersions.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { type ComparedPage, describePageChanges } from './describe-page-changes.ts'

type Props = {
  page: PromoPage
  /** As it is in the editor. */
  draft: ComparedPage
  /** Puts a version into the editor; null if the user can't edit. */
  onRestore: ((version: PageVersion) => void) | null
}

/** The published versions with what changed in each, and a way back to them. */
export function PageVersions({ page, draft, onRestore }: Props) {
  return (
    <Loaded query={query(promoPages.versions, { id: page.id })} what="the versions" shape="fields">
      {(versions) => (
        <DocumentVersions
          versions={versions.map((version, at) =>
            shown(version, versions[at + 1], { page, draft, onRestore }),
          )}
          empty="Each time you publish, the page is kept as a version. You can compare versions and put one back."
          texts={TEXTS}
        />
      )}
    </Loaded>
  )
}

const TEXTS = { same: 'Nothing changed.', restore: 'Edit this version' }

function shown(
  version: PageVersion,
  before: PageVersion | undefined,
  { page, draft, onRestore }: Props,
): ShownVersion {
  const { number, publishedAt, publishedBy, blocks, startsOn, endsOn } = version
  const days = [startsOn && `From ${formatDay(startsOn)}.`, endsOn && `Until ${formatDay(endsOn)}.`].filter(
    Boolean,
  )
  const sinceThen = describePageChanges(version, draft)
  return {
    number,
    publishedAt,
    publishedBy,
    summary: `${count(blocks.length, 'block', 'blocks')}.`,
    use: days.join(' '),
    note: page.liveNumber === number ? 'visitors see this one' : null,
    changes: before === undefined ? null : describePageChanges(before, version),
    onRestore: onRestore === null || sinceThen.length === 0 ? null : () => onRestore(version),
  }
}
