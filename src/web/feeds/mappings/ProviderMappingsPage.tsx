import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { FileButton, Button } from '@mantine/core'
import { IconArrowsSplit, IconPlus, IconUpload } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { PRESETS } from '#contract/feeds/mappings/presets.ts'
import { PROVIDER_MAPPING_LIST } from '#contract/feeds/mappings/provider-mapping-list.ts'
import {
  MappingFile,
  type ProviderMappingRow,
  providerMappings,
} from '#contract/feeds/mappings/provider-mappings.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/administration/provider-mappings')
const importMapping = send(providerMappings.importOne)
const WIDTHS = { name: 280, provider: 200 }

const CELLS: Cells<ProviderMappingRow, keyof typeof PROVIDER_MAPPING_LIST.fields> = {
  name: (row) => <MappingLink row={row} />,
  provider: (row) => presetTitle(row.provider),
  updatedAt: (row) => (
    <>
      {formatDay(row.updatedAt)}
      {row.updatedBy !== null && (
        <span className="fc-second">
          <bdi>{row.updatedBy}</bdi>
        </span>
      )}
    </>
  ),
}

/** The list of provider mappings. Each opens on its own page. */
export function ProviderMappingsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const holds = useHolds()
  const mayAdd = permissionsFor(providerMappings.add.allow).every((permission) => holds(permission) === true)
  const open = (id: string) => void navigate({ to: '/administration/provider-mappings/$id', params: { id } })
  const importing = useMutation({
    mutationFn: importMapping,
    onSuccess: ({ id, name }) => {
      toast('Provider mapping imported', name)
      open(id)
    },
    onError: (failure) => showError(failure),
  })
  async function read(file: File | null) {
    if (file === null) return
    const text = await file.text()
    const content = MappingFile.safeParse(parseJson(text))
    if (content.success) importing.mutate(content.data)
    else toast('Import failed', "This file isn't an exported provider mapping.")
  }
  const add = (
    <Action
      for={providerMappings.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add mapping
    </Action>
  )
  return (
    <ListPage
      list={PROVIDER_MAPPING_LIST}
      endpoint={providerMappings.list}
      search={search}
      onShow={(change, { replaces }) =>
        void navigate({ search: (before) => ({ ...before, ...change }), replace: replaces })
      }
      cells={CELLS}
      widths={WIDTHS}
      block={showBlock}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      searches="Name, template"
      actions={
        <>
          {mayAdd && (
            <FileButton accept="application/json,.json" onChange={(file) => void read(file)}>
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  loading={importing.isPending}
                  leftSection={<IconUpload size={16} aria-hidden="true" />}
                >
                  Import
                </Button>
              )}
            </FileButton>
          )}
          {add}
        </>
      }
      empty={
        <EmptyState
          tone="brand"
          icon={<IconArrowsSplit size={18} />}
          title="No provider mappings yet"
          text="A provider mapping assigns the columns of a feed to vehicle fields. Upload a sample and we'll match most columns."
        >
          {add}
        </EmptyState>
      }
    />
  )
}

function showBlock(row: ProviderMappingRow) {
  return (
    <>
      <div className="fc-block-head">
        <MappingLink row={row} />
      </div>
      <div className="fc-small fc-faint">
        <bdi>
          {row.fields} fields{row.provider === null ? '' : `, template: ${presetTitle(row.provider)}`}
        </bdi>
      </div>
    </>
  )
}

function MappingLink({ row }: { row: ProviderMappingRow }) {
  return (
    <MayOpen for={providerMappings.get}>
      <Link to="/administration/provider-mappings/$id" params={{ id: row.id }} className="fc-name">
        <bdi>{row.name}</bdi>
      </Link>
    </MayOpen>
  )
}

function presetTitle(provider: string | null): string {
  return PRESETS.find(({ key }) => key === provider)?.title ?? ''
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
