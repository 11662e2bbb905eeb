import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { type View, views } from '#contract/lists/views.ts'
import { query } from '#web/api/query.ts'
import { DropMenu } from '#web/ui/controls/DropMenu.tsx'
import { PLAIN } from '../list-state.ts'
import { PlainView } from './PlainView.tsx'
import type { ListControl } from '../use-list-state.ts'
import { isModified, lookOf, searchOf } from './view-state.ts'
import { saveAs, ViewActions } from './ViewActions.tsx'
import { ViewItem } from './ViewItem.tsx'
import { ViewLink, ViewName } from './ViewLink.tsx'

type Props = { control: ListControl; filtered: number; total: number; isKnown: boolean; isNarrow: boolean }

const CACHE_MS = 60_000

/**
 * The saved views of a list: tabs, or one menu on narrow screens. They load after the rows; if they fail, the list
 * works without them.
 */
export function ViewBar({ control, filtered, total, isKnown, isNarrow }: Props) {
  const { list, state, look } = control
  const saved = useQuery({ ...query(views.list, { list: list.key }), staleTime: CACHE_MS })
  const counts = useQuery({
    ...query(views.counts, { list: list.key }),
    enabled: isKnown && (saved.data?.length ?? 0) > 0,
    staleTime: CACHE_MS,
  })
  useOpening(control, saved.data)
  if (!saved.data) {
    return (
      <>
        <PlainView total={isKnown ? total : null} />
        {saved.error && (
          <span className="fc-small fc-faint fc-views-note">Saved views couldn't be loaded.</span>
        )}
      </>
    )
  }
  const open = saved.data.find(({ id }) => id === state.view) ?? null
  const changed = open !== null && isModified(control, open, { state, look })
  const isForeign = open === null && state.view !== null
  const entries: Entry[] = [
    { view: null, name: 'All', count: isKnown ? total : null },
    ...saved.data.map((view) => ({
      view,
      name: view.name,
      count: view === open && isKnown ? filtered : (counts.data?.[view.id] ?? null),
    })),
    // A link from a user who hasn't shared the view: the rows are shown, the view isn't available.
    ...(isForeign ? [{ view: undefined, name: 'From a link', count: isKnown ? filtered : null }] : []),
  ]
  const isOpen = ({ view }: Entry) => (view === undefined ? isForeign : view === open && !isForeign)
  const hasDefault = saved.data.some((view) => view.isDefault)
  const actions = (open !== null || hasDefault) && !isForeign && (
    <ViewActions {...{ control, hasDefault }} view={open} isModified={changed} />
  )
  const shown = { control, entries, isOpen, changed, actions }
  return isNarrow ? <ViewMenu {...shown} /> : <ViewTabs {...shown} hasDefault={hasDefault} />
}

type MenuProps = {
  control: ListControl
  entries: readonly Entry[]
  isOpen: (entry: Entry) => boolean
  /** The open view differs from its saved state. */
  changed: boolean
  /** The actions for the open view; false if there are none. */
  actions: ReactNode
}

/** The views in one menu, for narrow screens. */
function ViewMenu({ control, entries, isOpen, changed, actions }: MenuProps) {
  const current = entries.find(isOpen)
  const trigger = (
    <>
      {current && (
        <span className="fc-row">
          <span className="fc-hidden">View: </span>
          <ViewName {...current} isModified={changed} />
        </span>
      )}
      <IconChevronDown size={14} aria-hidden="true" />
    </>
  )
  return (
    <DropMenu kind="menu" side="start" className="fc-quiet fc-view-menu" trigger={trigger}>
      {entries.map((entry) => (
        <ViewItem key={keyOf(entry)} isChosen={isOpen(entry)} onClick={() => openEntry(control, entry)}>
          {entry.name}
          {entry.count !== null && (
            <span className="fc-faint fc-number"> {entry.count.toLocaleString()}</span>
          )}
        </ViewItem>
      ))}
      <hr />
      {actions}
      <ViewItem onClick={() => void saveAs(control, '')}>Save view…</ViewItem>
    </DropMenu>
  )
}

/** The views as tabs, with a menu on the open one. */
function ViewTabs({
  control,
  entries,
  isOpen,
  changed,
  actions,
  hasDefault,
}: MenuProps & { hasDefault: boolean }) {
  const { list } = control
  return (
    <nav className="fc-view-nav" aria-label={`Views of ${list.nouns[1]}`}>
      <ul className="fc-view-tabs">
        {entries.map((entry) => (
          <li key={keyOf(entry)}>
            <ViewLink
              {...entry}
              search={entry.view ? searchOf(control, entry.view) : { view: hasDefault ? PLAIN : undefined }}
              page={list.page}
              isOpen={isOpen(entry)}
              isModified={isOpen(entry) && changed}
              onOpen={() => openEntry(control, entry)}
            />
            {isOpen(entry) && actions && (
              <DropMenu
                kind="menu"
                side="start"
                className="fc-view-more"
                trigger={
                  <>
                    <IconChevronDown size={14} aria-hidden="true" />
                    <span className="fc-hidden">More for view {entry.name}</span>
                  </>
                }
              >
                {actions}
              </DropMenu>
            )}
          </li>
        ))}
        <li>
          <button type="button" className="fc-view" onClick={() => void saveAs(control, '')}>
            + Save view
          </button>
        </li>
      </ul>
    </nav>
  )
}

/** `view`: null for the plain list, undefined for a link from another user. */
type Entry = { view: View | null | undefined; name: string; count: number | null }

const keyOf = ({ view }: Entry) => (view === undefined ? 'link' : (view?.id ?? PLAIN))

function openEntry(control: ListControl, { view }: Entry): void {
  if (view === undefined || (view?.id ?? null) === control.state.view) return
  control.open(view && searchOf(control, view), view && lookOf(view.state))
}

/** Opens the default view if the URL is empty, or the view that the URL names without its contents. */
function useOpening(control: ListControl, saved: readonly View[] | undefined): void {
  // The URL updates a moment later: until then, open nothing twice.
  const opened = useRef<string | null>(null)
  useEffect(() => {
    if (!saved) return
    const { isBare, isUnopened, state } = control
    const usual = saved.find(({ isDefault }) => isDefault)
    const named = saved.find(({ id }) => id === state.view)
    const opens = usual ? searchOf(control, usual) : null
    // The stored default view no longer exists.
    const isGone = !named && state.view !== null && control.opens?.view === state.view
    if (JSON.stringify(opens) !== JSON.stringify(control.opens)) control.setOpens(opens)
    if (named && !isUnopened && !control.hasLook) control.setLook(lookOf(named.state))

    if (isGone) control.open(null, null, { replaces: true })

    const asked = isBare ? PLAIN : state.view
    if (!isBare && !isUnopened) opened.current = null
    else if (opened.current !== asked) {
      opened.current = asked
      const view = isBare ? usual : named
      if (view) control.open(searchOf(control, view), lookOf(view.state), { replaces: true })
      else if (isUnopened) control.open(null, null, { replaces: true })
    }
  }, [control, saved])
}
