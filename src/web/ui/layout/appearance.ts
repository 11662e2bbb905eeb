import type { MantineColorSchemeManager } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import {
  COLOUR_SCHEMES,
  DEFAULT_LOOK,
  DIRECTIONS,
  HEADER_COLOURS,
  LAYOUTS,
} from '#contract/appearance/looks.ts'
import type { Appearance } from '#contract/identity/branding/appearance.ts'
import { parseRecord } from '#web/api/read-json.ts'

/** Local storage keys. public/first-paint.js reads the first one before anything is painted. */
const KEY = 'appearance'
/** Set while the server does not have the latest choice yet. */
const UNSAVED_KEY = 'appearanceUnsaved'

const viewers = new Set<() => void>()
let current: Appearance = DEFAULT_LOOK

/** What a stored text says, each part for itself: what makes no sense or is missing is as nobody chose it. */
export function readAppearance(stored: string | null): Appearance {
  const found = parseRecord(stored ?? '') ?? {}
  const choice = <T extends string>(name: keyof Appearance, choices: readonly T[], usual: T): T =>
    choices.find((one) => one === found[name]) ?? usual
  const yes = (name: keyof Appearance, usual: boolean): boolean => {
    const value = found[name]
    return typeof value === 'boolean' ? value : usual
  }
  return {
    scheme: choice('scheme', COLOUR_SCHEMES, DEFAULT_LOOK.scheme),
    layout: choice('layout', LAYOUTS, DEFAULT_LOOK.layout),
    headerColor: choice('headerColor', HEADER_COLOURS, DEFAULT_LOOK.headerColor),
    direction: choice('direction', DIRECTIONS, DEFAULT_LOOK.direction),
    isMenuFixed: yes('isMenuFixed', DEFAULT_LOOK.isMenuFixed),
    isHeaderFixed: yes('isHeaderFixed', DEFAULT_LOOK.isHeaderFixed),
    isBoxed: yes('isBoxed', DEFAULT_LOOK.isBoxed),
    isMenuCollapsed: yes('isMenuCollapsed', DEFAULT_LOOK.isMenuCollapsed),
  }
}

/** The look as it stands; the component renders again when it changes. */
export function useAppearance(): Appearance {
  return useSyncExternalStore(subscribe, getAppearance)
}

export function getAppearance(): Appearance {
  return current
}

export function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  return () => void viewers.delete(viewer)
}

/** The person chose: it counts at once, here and in the other tabs, and waits to be kept by the server. */
export function changeAppearance(change: Partial<Appearance>): void {
  localStorage.setItem(UNSAVED_KEY, 'true')
  store({ ...current, ...change })
}

/** What the server keeps for the person, for instance after signing in at another machine. */
export function takeAppearance(kept: Appearance): void {
  if (JSON.stringify(kept) !== JSON.stringify(current)) store(kept)
}

/** Whether the server still has to be told. Outlives a reload, so that a choice made without a connection stays. */
export function isUnsaved(): boolean {
  return localStorage.getItem(UNSAVED_KEY) === 'true'
}

/** The server has this one; a later change is still to be told. */
export function markSaved(saved: Appearance): void {
  if (saved === current) localStorage.removeItem(UNSAVED_KEY)
}

function store(next: Appearance): void {
  localStorage.setItem(KEY, JSON.stringify(next))
  show(next)
}

/** Shows what storage holds: nobody's choice after signing out cleared it. */
export function reviewAppearance(): void {
  show(readAppearance(localStorage.getItem(KEY)))
}

/** Once, before anything is drawn. From then on the choices of other tabs count here, too. */
export function startAppearance(): void {
  reviewAppearance()
  // The first paint had no style sheet yet; from here on the style sheet knows the scheme.
  document.documentElement.style.removeProperty('color-scheme')
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) reviewAppearance()
  })
}

function show(next: Appearance): void {
  current = next
  const root = document.documentElement
  root.dir = next.direction
  root.dataset['layout'] = next.layout
  root.dataset['header'] = next.headerColor
  root.toggleAttribute('data-boxed', next.isBoxed)
  root.toggleAttribute('data-loose-menu', !next.isMenuFixed)
  root.toggleAttribute('data-loose-header', !next.isHeaderFixed)
  root.toggleAttribute('data-collapsed', next.isMenuCollapsed)
  for (const viewer of viewers) viewer()
}

let stopSchemes = () => {}

/** Hands the scheme to Mantine, which follows the system while it is `auto`. Changes come from here alone. */
export const colorSchemes: MantineColorSchemeManager = {
  get: () => current.scheme,
  set: () => {},
  subscribe: (onUpdate) => {
    stopSchemes = subscribe(() => onUpdate(current.scheme))
  },
  unsubscribe: () => stopSchemes(),
  clear: () => {},
}
