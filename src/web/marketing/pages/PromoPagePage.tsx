import { Box, Button, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconEye } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { dvpLayouts, type Layout } from '#contract/marketing/layouts/layouts.ts'
import type { StoredBlock } from '#contract/marketing/pages/blocks.ts'
import { type BlockFault, faultsOnPublish, faultsOnSave } from '#contract/marketing/pages/check-blocks.ts'
import {
  FOREIGN_PAGE,
  type PageVersion,
  type PromoPage,
  promoPages,
} from '#contract/marketing/pages/promo-pages.ts'
import { query, send } from '#web/api/query.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import { HistoryRow } from '#web/ui/history/HistoryRow.tsx'
import { type RecordSteps, recordSteps, useRecordHistory } from '#web/ui/history/use-record-history.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { useLoad } from '#web/ui/record/Loaded.tsx'
import { RecordPage } from '#web/ui/record/RecordPage.tsx'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { BlockList } from './BlockList.tsx'
import { describeBlocks } from './describe-page-changes.ts'
import { PageLinter } from './PageLinter.tsx'
import { PAGE_ITSELF, stoppingFaults, useFindings } from './use-findings.ts'
import { pageForm, type PageRecord, type PageValues } from './page-form.ts'
import { PageSettings } from './PageSettings.tsx'
import { PromoPageHeader } from './PromoPageHeader.tsx'
import { sumUpBlock } from './sum-up-block.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const PagePreview = lazy(async () => ({ default: (await import('./PagePreview.tsx')).PagePreview }))
const PageVisits = lazy(async () => ({ default: (await import('./PageVisits.tsx')).PageVisits }))
const PageVersions = lazy(async () => ({ default: (await import('./PageVersions.tsx')).PageVersions }))
const route = getRouteApi('/shell/administration/promo-pages/$id')
const updatePage = send(promoPages.update)

/** One promo page: its blocks, settings and versions. */
export function PromoPagePage() {
  const { id } = route.useParams()
  const page = useLoad({
    ...query(promoPages.get, { id }),
    // The editor must start with the current page, not a cached one.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const history = useRecordHistory<PageValues>(id)
  return (
    <div className="fc-list">
      {page.data === undefined && <PageHeader title="Promo page" context="" />}
      <RecordPage
        key={id}
        load={page}
        noun="promo page"
        thing="this promo page"
        shape="spinner"
        form={{ ...pageForm, describe, onMerged: history.onMerged }}
        isLocked={({ isReadOnly }) => isReadOnly}
        endpoints={PAGE_ENDPOINTS}
        cachedBy={({ id: of }) => ({ id: of })}
        save={(input, change) => updatePage({ ...input, id, version: change?.version })}
        nameOf={({ name }) => name}
        show={showField}
        className="fc-form"
      >
        {(record, saved) =>
          saved && <PageEditor record={record} page={saved} steps={recordSteps(record, history)} />
        }
      </RecordPage>
    </div>
  )
}

const PAGE_ENDPOINTS = { get: promoPages.get, update: promoPages.update }

/** A field's display text, for comparisons. */
function showField(name: string, values: PageValues): string {
  if (name !== 'blocks') return showValue({ ...values }[name])
  return values.blocks.map((block) => sumUpBlock(block)).join('; ') || 'None'
}

/** What one of two people changed in the blocks: the texts of both may sum up as the same. */
const describe = (name: string, base: PageValues, changed: PageValues) =>
  name === 'blocks' ? describeBlocks(base.blocks, changed.blocks) : null

type EditorProps = { record: PageRecord; page: PromoPage; steps: RecordSteps }

function PageEditor({ record, page, steps }: EditorProps) {
  const { tab } = route.useSearch()
  const navigate = useNavigate()
  const [open, setOpen] = useState<string | null>(null)
  const preview = usePreview()
  const layout = useLayout(record.form.values.layoutId)
  const { blocks } = record.form.values
  const missing = findFaults(blocks, page.blocks, layout)
  const findings = useFindings(page.id, record.form.values, layout)
  const faults = [...missing, ...stoppingFaults(findings)]
  const show = (next: 'settings' | undefined) =>
    void navigate({
      to: '.',
      search: next === undefined ? {} : { tab: next },
      replace: true,
      ignoreBlocker: true,
    })
  const restore = ({ number, title, description, blocks: former, startsOn, endsOn }: PageVersion) => {
    steps.change(
      {
        title,
        description: description ?? '',
        blocks: former,
        startsOn: startsOn ?? '',
        endsOn: endsOn ?? '',
      },
      { says: `version ${number} put into the editor`, what: null },
    )
    show(undefined)
    toast(`Version ${number} is in the editor`, 'Visitors see it when you save and publish.')
  }
  return (
    <>
      <PromoPageHeader record={record} page={page} faults={faults} onFault={goTo} />
      {page.isReadOnly && <Notice>{FOREIGN_PAGE}</Notice>}
      <Tabs tab={tab} versions={page.publishedNumber ?? 0} />
      {tab === undefined && (
        <BlocksTab
          {...{ record, page, steps, layout, faults, missing, findings, open, goTo, preview }}
          onOpen={setOpen}
        />
      )}
      {tab === 'settings' && <PageSettings record={record} page={page} />}
      {tab === 'visits' && (
        <Suspense fallback={<Spinner label="Loading" />}>
          <PageVisits id={page.id} />
        </Suspense>
      )}
      {tab === 'versions' && (
        <Suspense fallback={<Spinner label="Loading" />}>
          <PageVersions
            page={page}
            draft={record.form.values}
            onRestore={record.isReadOnly ? null : restore}
          />
        </Suspense>
      )}
    </>
  )

  function goTo({ id }: Pick<BlockFault, 'id'>) {
    show(id === PAGE_ITSELF ? 'settings' : undefined)
    if (id === PAGE_ITSELF) return
    setOpen(id)
    if (!preview.isWide) preview.show(false)
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-block="${id}"] [data-toggle]`)?.focus(),
    )
  }
}

type BlocksProps = EditorProps & {
  layout: Layout | undefined
  faults: readonly BlockFault[]
  /** What is missing, without what the linter found. */
  missing: readonly BlockFault[]
  findings: ReturnType<typeof useFindings>
  open: string | null
  onOpen: (id: string | null) => void
  goTo: (block: Pick<BlockFault, 'id'>) => void
  preview: ReturnType<typeof usePreview>
}

/** The blocks with what they still need, and the preview beside them; instead of them on a narrow screen. */
function BlocksTab({
  record,
  page,
  steps,
  layout,
  faults,
  missing,
  findings,
  open,
  onOpen,
  goTo,
  preview,
}: BlocksProps) {
  const { blocks } = record.form.values
  /** A block that the layout puts on the page can't be opened. */
  const choose = (id: string) => blocks.some((block) => block.id === id) && goTo({ id })
  return (
    <>
      <Group justify="space-between" px="var(--fc-gutter)" pt={8} gap={8}>
        {record.isReadOnly ? <span /> : <HistoryRow steps={steps} />}
        <Button
          variant="default"
          size="xs"
          aria-expanded={preview.isShown}
          leftSection={<IconEye size={16} aria-hidden="true" />}
          onClick={() => preview.show(!preview.isShown)}
        >
          {preview.isShown ? 'Hide preview' : 'Show preview'}
        </Button>
      </Group>
      <Group align="start" gap={32} px="var(--fc-gutter)" pt={8} pb={96} grow preventGrowOverflow={false}>
        <Stack
          flex="1 1 340px"
          maw={preview.isShown ? 560 : 760}
          miw={0}
          gap={24}
          // What is typed stays in the page.
          display={preview.isShown && !preview.isWide ? 'none' : 'flex'}
        >
          <Box>
            <BlockList
              label="Blocks"
              blocks={blocks}
              onChange={(next, step) => steps.change({ blocks: next }, step)}
              isReadOnly={record.isReadOnly}
              allowed={layout?.allowed ?? []}
              faults={faults}
              error={record.form.errors['blocks']}
              locked={{ top: layout?.top ?? [], bottom: layout?.bottom ?? [] }}
              open={open}
              onOpen={onOpen}
            />
            {!record.isReadOnly && blocks.length > 1 && (
              <Text size="xs" c="dimmed" pt={8}>
                On a block, Alt with the arrow keys moves it.
              </Text>
            )}
          </Box>
          <Findings faults={missing} hasPage={page.publishedNumber !== null} onFault={goTo} />
          <PageLinter findings={findings} onShow={({ id }) => goTo({ id: id ?? PAGE_ITSELF })} />
        </Stack>
        {preview.isShown && (
          <Box flex="2 1 420px" miw={0}>
            <Suspense fallback={<Spinner label="Loading" />}>
              <PagePreview id={page.id} values={record.form.values} open={open} onOpen={choose} />
            </Suspense>
          </Box>
        )}
      </Group>
    </>
  )
}

/** Where it would take the place of the editor, it is shown only when it is asked for: never because a window became narrow. */
function usePreview() {
  const isWide = useMediaQuery('(min-width: 1152px)', true, { getInitialValueInEffect: false })
  const [isBeside, showBeside] = useState(true)
  const [isInstead, showInstead] = useState(false)
  return isWide
    ? { isWide, isShown: isBeside, show: showBeside }
    : { isWide, isShown: isInstead, show: showInstead }
}

/** What keeps the blocks from being saved, then what keeps them from being published; the first of each block. */
function findFaults(
  blocks: readonly StoredBlock[],
  before: readonly StoredBlock[],
  layout: Layout | undefined,
): BlockFault[] {
  const rules = layout === undefined ? null : { ...layout, locked: [...layout.top, ...layout.bottom] }
  const all = [...faultsOnSave(blocks, { layout: rules, before }), ...faultsOnPublish(blocks, rules)]
  return blocks.flatMap(({ id }) => all.find((fault) => fault.id === id) ?? [])
}

function useLayout(id: string): Layout | undefined {
  const { rows } = useSearchable(dvpLayouts.list, { sort: 'name', isEnabled: id !== '' })
  return id === '' ? undefined : rows.find((one) => one.id === id)
}

const TABS = [
  { tab: undefined, title: 'Blocks' },
  { tab: 'settings', title: 'Settings' },
  { tab: 'versions', title: 'Versions' },
  { tab: 'visits', title: 'Visits' },
] as const

/** The tabs don't lose anything, so they never ask about unsaved changes. */
function Tabs({ tab, versions }: { tab: (typeof TABS)[number]['tab']; versions: number }) {
  const { id } = route.useParams()
  return (
    <nav className="fc-tabs" aria-label="Parts of this page">
      {TABS.map((one) => (
        <Link
          key={one.title}
          to="/administration/promo-pages/$id"
          params={{ id }}
          search={one.tab ? { tab: one.tab } : {}}
          replace
          ignoreBlocker
          activeOptions={{ exact: true, includeSearch: true }}
          {...(one.tab === tab && { 'aria-current': 'page' as const })}
        >
          {one.title}
          {one.tab === 'versions' && versions > 0 && (
            <span className="fc-small fc-faint fc-number">{versions}</span>
          )}
        </Link>
      ))}
    </nav>
  )
}

type FindingsProps = {
  faults: readonly BlockFault[]
  /** A version was published before. */
  hasPage: boolean
  onFault: (fault: BlockFault) => void
}

/** What keeps the page from being published, each with a way to it. */
function Findings({ faults, hasPage, onFault }: FindingsProps) {
  return (
    <Stack gap={8} component="section" aria-label="Before you publish">
      <Title order={2} fz={14} fw={600}>
        Before you publish
      </Title>
      <Text size="sm" c="dimmed" aria-live="polite">
        {faults.length === 0
          ? 'Every block has what it needs.'
          : `${count(faults.length, 'finding blocks', 'findings block')} ${hasPage ? 'the next version' : 'publishing'}.`}
      </Text>
      {faults.map((fault) => (
        <UnstyledButton key={fault.id} type="button" onClick={() => onFault(fault)}>
          <Status tone="bad" mark="cross">
            <Text size="sm" component="span" className="fc-link">
              <bdi>{fault.message}</bdi>
            </Text>
          </Status>
        </UnstyledButton>
      ))}
    </Stack>
  )
}
