import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { IconExternalLink } from '@tabler/icons-react'
import type { PAGE_LIST, PromoPage } from '#contract/marketing/pages/promo-pages.ts'
import { DOCUMENT_WIDTHS, documentCells } from '#web/ui/document/document-columns.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { usePublicOrigin } from '../forms/use-public-origin.ts'
import { PageMenu } from './PageMenu.tsx'
import { PageStatus } from './PageStatus.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import '../forms/forms-page.css'

/** Custom cells of the list. */
export const pageCells: Cells<PromoPage, keyof typeof PAGE_LIST.fields> = {
  name: (page) => (
    <span className="fc-form-name">
      <span className="fc-grow">
        <PageName page={page} />
        {describeDraft(page) !== null && <span className="fc-second">{describeDraft(page)}</span>}
      </span>
      <PageMenu page={page} />
    </span>
  ),
  slug: (page) => <PublicAddress page={page} />,
  status: (page) => (
    <>
      <PageStatus status={page.status} isPill />
      <NeedsLook page={page} />
    </>
  ),
  publishedAt: ({ publishedAt, publishedNumber }) =>
    publishedAt !== null && (
      <>
        {formatDay(publishedAt)}
        <span className="fc-second">Version {publishedNumber}</span>
      </>
    ),
  ...documentCells,
}

export const pageWidths = { ...DOCUMENT_WIDTHS, name: 300, slug: 220, leads: 88, endsOn: 112 }

/** A row on a narrow screen. */
export function PageBlock({ page }: { page: PromoPage }) {
  return (
    <>
      <div className="fc-block-head">
        <PageName page={page} />
        <PageMenu page={page} />
      </div>
      <div className="fc-small fc-faint">
        <PublicAddress page={page} />
      </div>
      <div className="fc-block-head fc-small">
        <PageStatus status={page.status} />
        <span className="fc-soft">{describeDraft(page)}</span>
        <NeedsLook page={page} />
      </div>
    </>
  )
}

/** What of a published page visitors don't see yet; null if there is nothing. */
function describeDraft({ publishedNumber, hasChanges, nextOn }: PromoPage): string | null {
  if (publishedNumber === null) return null
  if (nextOn !== null) return `Version ${publishedNumber} starts ${formatDay(nextOn)}`
  return hasChanges ? `Changed since version ${publishedNumber}` : null
}

/** A published page that breaks a rule, or refers to what is gone: it stays on the site, and is named here. */
function NeedsLook({ page: { needsLook } }: { page: PromoPage }) {
  return (
    needsLook && (
      <span className="fc-second">
        <Status tone="warn" mark="wait">
          Needs a look
        </Status>
      </span>
    )
  )
}

function PageName({ page: { id, name } }: { page: PromoPage }) {
  return (
    <MayOpen for={promoPages.get}>
      <Link to="/administration/promo-pages/$id" params={{ id }} className="fc-name">
        <bdi>{name}</bdi>
      </Link>
    </MayOpen>
  )
}

/** Where visitors find a page: a link while it is on the site, otherwise the path. */
function PublicAddress({ page: { slug, liveNumber } }: { page: PromoPage }) {
  const origin = usePublicOrigin()
  const path = `/p/${slug}`
  if (origin === null || liveNumber === null) return <bdi>{path}</bdi>
  return (
    <a href={`${origin}${path}`} target="_blank" rel="noreferrer" className="fc-public-address">
      <bdi>{path}</bdi>
      <IconExternalLink size={14} aria-hidden="true" />
      <span className="fc-hidden">(opens in a new tab)</span>
    </a>
  )
}
