import { Button } from '@mantine/core'
import { IconChevronRight, IconExternalLink } from '@tabler/icons-react'
import { useMutation } from '#web/api/mutation.ts'
import { useNavigate } from '@tanstack/react-router'
import type { BlockFault } from '#contract/marketing/pages/check-blocks.ts'
import { type PromoPage, promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { usePublicOrigin } from '../forms/use-public-origin.ts'
import { publishLock, publishPage } from './page-actions.ts'
import { PageMenu } from './PageMenu.tsx'
import { PageStatus } from './PageStatus.tsx'
import type { PageRecord } from './page-form.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  record: PageRecord
  page: PromoPage
  faults: readonly BlockFault[]
  onFault: (fault: BlockFault) => void
}

const sendPreview = send(promoPages.previewLink)

/** Name, status and actions of a page. */
export function PromoPageHeader({ record, page, faults, onFault }: Props) {
  const navigate = useNavigate()
  const publishing = useMutation({
    mutationFn: publishPage,
    onSuccess: (after) => after && record.keep(after),
  })
  const isChanged = record.changed.length > 0
  const [first] = faults
  return (
    <header className="fc-page-header">
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/administration/promo-pages">Promo pages</Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <span className="fc-cut" aria-current="page">
            <bdi>/p/{page.slug}</bdi>
          </span>
        </nav>
        <div className="fc-title-row">
          <RecordHeading name={page.name} />
          <PageStatus status={page.status} isPill />
          {isChanged && (
            <Status tone="warn" mark="wait" isPill>
              Unsaved
            </Status>
          )}
        </div>
        <p aria-live="polite">
          <bdi>{describe(page)}</bdi>
        </p>
      </div>
      <div className="fc-row fc-wrap">
        <PageMenu
          page={page}
          isOnPage
          onChanged={record.keep}
          onRemoved={() => {
            record.release()
            void navigate({ to: '/administration/promo-pages', ignoreBlocker: true })
          }}
        />
        <PublicPage page={page} />
        <PreviewButton page={page} isChanged={isChanged} />
        {first === undefined ? (
          <Action
            for={promoPages.publish}
            lock={isChanged ? 'Save your changes first.' : publishLock(page)}
            saves
            loading={publishing.isPending}
            onClick={() => publishing.mutate(page)}
          >
            Publish
          </Action>
        ) : (
          <Button onClick={() => onFault(first)}>Fix {faults.length} to publish</Button>
        )}
      </div>
    </header>
  )
}

/** The page that visitors see, while there is one. */
function PublicPage({ page: { slug, liveNumber } }: { page: PromoPage }) {
  const origin = usePublicOrigin()
  if (origin === null || liveNumber === null) return null
  return (
    <Button
      component="a"
      href={`${origin}/p/${slug}`}
      target="_blank"
      rel="noreferrer"
      variant="default"
      rightSection={<IconExternalLink size={14} aria-hidden="true" />}
    >
      Public page
    </Button>
  )
}

/** Opens the saved draft on the public site. Its link ends, so it is made when it is needed. */
function PreviewButton({ page: { id }, isChanged }: { page: PromoPage; isChanged: boolean }) {
  const origin = usePublicOrigin()
  const link = useMutation({ mutationFn: sendPreview })
  const open = () => {
    // Opened before the link is there: a browser blocks a page that opens later than the press of a button.
    const page = window.open('about:blank')
    if (page !== null) page.opener = null
    link.mutate(
      { id },
      {
        onSuccess: ({ path }) => page?.location.replace(`${origin}${path}`),
        onError: (failure) => {
          page?.close()
          showError(failure)
        },
      },
    )
  }
  const missing =
    origin === null ? 'Previews need a verified public domain. Add one under White label.' : null
  return (
    <Action
      for={promoPages.previewLink}
      variant="default"
      rightSection={<IconExternalLink size={14} aria-hidden="true" />}
      lock={missing ?? (isChanged ? 'Save your changes first: the preview shows the saved draft.' : null)}
      loading={link.isPending}
      onClick={open}
    >
      Preview
    </Action>
  )
}

function describe({
  status,
  publishedNumber,
  liveNumber,
  nextOn,
  hasChanges,
  endsOn,
  leads,
  needsLook,
}: PromoPage): string {
  const parts = []
  if (status === 'draft') parts.push('Not published yet')
  else if (status === 'unpublished') parts.push('Visitors read that it has ended')
  else if (liveNumber !== null) parts.push(`Visitors see version ${liveNumber}`)
  if (nextOn !== null) parts.push(`version ${publishedNumber} starts ${formatDay(nextOn)}`)
  if (status === 'published' && endsOn !== null) parts.push(`the last day is ${formatDay(endsOn)}`)
  if (publishedNumber !== null && hasChanges) parts.push('the draft has changes')
  if (needsLook) parts.push('what visitors see needs a look')
  if (leads > 0) parts.push(count(leads, 'lead', 'leads'))
  const text = parts.join(', ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
