import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** How a source delivers feeds: uploaded by a user, fetched from a remote server, pushed to a URL, or attached to an email. */
export const FEED_SOURCE_KINDS = ['upload', 'https', 'sftp', 'ftps', 'ftp', 'api', 'mail'] as const
export type FeedSourceKind = (typeof FEED_SOURCE_KINDS)[number]

/** Whether we fetch from a source of this kind, so that it has a server and a schedule. */
export const isFetched = (kind: FeedSourceKind): kind is 'https' | 'sftp' | 'ftps' | 'ftp' =>
  kind === 'https' || kind === 'sftp' || kind === 'ftps' || kind === 'ftp'

/** Whether a source of this kind has a URL that files are sent to. */
export const isSentTo = (kind: FeedSourceKind): kind is 'api' | 'mail' => kind === 'api' || kind === 'mail'

export const FEED_SOURCE_LIST = defineList({
  key: 'feedSources',
  title: 'Feed sources',
  nouns: ['feed source', 'feed sources'],
  page: '/inventory/feeds/sources',
  allow: can(Func.vehicles, Opr.list),
  exports: can(Func.vehicles, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Feed source', kind: 'text', isSortable: true, isFixed: true },
    kind: {
      title: 'Delivery method',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'upload', label: 'Upload' },
        { value: 'https', label: 'HTTPS' },
        { value: 'sftp', label: 'SFTP' },
        { value: 'ftps', label: 'FTPS' },
        { value: 'ftp', label: 'FTP' },
        { value: 'api', label: 'API push' },
        { value: 'mail', label: 'Email attachment' },
      ],
    },
    isActive: { title: 'Active', kind: 'flag' },
    mappingName: { title: 'Provider mapping', kind: 'text' },
    lastRowCount: { title: 'Rows', kind: 'integer', isSortable: true },
    lastRunAt: { title: 'Last applied', kind: 'moment', isSortable: true },
    nextRunAt: { title: 'Next fetch', kind: 'moment', isSortable: true },
    lastProblem: { title: 'Problem', kind: 'text' },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true, isHidden: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})
