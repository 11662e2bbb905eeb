import { IconPrinter, IconQrcode } from '@tabler/icons-react'
import { lazy } from 'react'
import {
  SHORT_URL_LIST,
  SHORT_URL_TARGETS,
  type ShortUrl,
  shortUrls,
} from '#contract/marketing/short-urls/short-urls.ts'
import { labelOf } from '#contract/record.ts'
import { RecordList } from '#web/ui/list/RecordList.tsx'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { AddManyButton } from './AddManyButton.tsx'
import { ShortUrlState } from './ShortUrlState.tsx'
import { UnknownKeys } from './UnknownKeys.tsx'

/** Loaded when a short URL is opened, with the code that draws QR codes. */
const ShortUrlDrawer = lazy(async () => ({ default: (await import('./ShortUrlDrawer.tsx')).ShortUrlDrawer }))

const ACTIONS: readonly BulkAction[] = [
  {
    id: 'print',
    label: 'Print QR sheet',
    icon: <IconPrinter size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: shortUrls.sheet,
    async start(selection) {
      await fetchFile(shortUrls.sheet, { selection }, 'QR codes')
      return 'done'
    },
  },
]

/** The short URLs within the user's reach; one opens in a drawer with its own URL. */
export function ShortUrlsPage() {
  return (
    <RecordList
      list={SHORT_URL_LIST}
      calls={shortUrls}
      param="shortUrl"
      Drawer={ShortUrlDrawer}
      roles={ROLES}
      cells={CELLS}
      second={showTarget}
      widths={WIDTHS}
      searches="Name, key, target, tag"
      note={showUnknown}
      actions={<AddManyButton />}
      bulk={ACTIONS}
      removeText="Their addresses stop working, also on what is printed. You can undo this."
      icon={<IconQrcode size={18} />}
      purpose="A short URL is a short address with a QR code, for signs, print and messages. It opens a vehicle, a form or another site."
    />
  )
}

function showUnknown() {
  return <UnknownKeys />
}

const showTarget = ({ target, targetTitle }: ShortUrl) => (
  <>
    {labelOf(SHORT_URL_TARGETS, target)}
    {targetTitle !== null && (
      <>
        {' · '}
        <bdi>{targetTitle}</bdi>
      </>
    )}
  </>
)

/** The card on a narrow screen. */
const ROLES = { code: 'key', line: showTarget, marks: ['status'] } as const

/** Custom cells. */
const CELLS: Cells<ShortUrl, keyof typeof SHORT_URL_LIST.fields> = {
  key: ({ key }) => (
    <bdi className="fc-number" dir="ltr">
      {key}
    </bdi>
  ),
  status: ({ status }) => <ShortUrlState status={status} />,
  targetTitle: ({ targetTitle }) => <bdi>{targetTitle}</bdi>,
}

const WIDTHS = { name: 300, key: 120, clicks: 120, status: 200 }
