import type { MantineColorSchemeManager } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import {
  COLOR_SCHEMES,
  DEFAULT_LOOK,
  DIRECTIONS,
  HEADER_COLORS,
  LAYOUTS,
} from '#contract/appearance/looks.ts'
import type { Appearance } from '#contract/identity/branding/appearance.ts'
import { parseRecord } from '#web/api/read-json.ts'

/** Local storage key. public/first-paint.js reads it before the first paint. */
const KEY = 'appearance'
/** Set while the server doesn't have the latest choice yet. */
const UNSAVED_KEY = 'appearanceUnsaved'

const viewers = new Set<() => void>()
let current: Appearance = DEFAULT_LOOK

/** Reads a stored appearance, each part separately: invalid or missing parts get their default. */
export function readAppearance(stored: string | null): Appearance {
  const found = parseRecord(stored ?? '') ?? {}
  const choice = <T extends string>(name: keyof Appearance, choices: readonly T[], usual: T): T =>
    choices.find((one) => one === found[name]) ?? usual
  const yes = (name: keyof Appearance, usual: boolean): boolean => {
    const value = found[name]
    return typeof value === 'boolean' ? value : usual
  }
  return {
    scheme: choice('scheme', COLOR_SCHEMES, DEFAULT_LOOK.scheme),
    layout: choice('layout', LAYOUTS, DEFAULT_LOOK.layout),
    headerColor: choice('headerColor', HEADER_COLORS, DEFAULT_LOOK.headerColor),
    direction: choice('direction', DIRECTIONS, DEFAULT_LOOK.direction),
    isMenuFixed: yes('isMenuFixed', DEFAULT_LOOK.isMenuFixed),
    isHeaderFixed: yes('isHeaderFixed', DEFAULT_LOOK.isHeaderFixed),
    isBoxed: yes('isBoxed', DEFAULT_LOOK.isBoxed),
    isMenuCollapsed: yes('isMenuCollapsed', DEFAULT_LOOK.isMenuCollapsed),
  }
}

/** The current appearance; re-renders the component when it changes. */
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

/** Applies a user's choice immediately, here and in other tabs, and marks it to be saved to the server. */
export function changeAppearance(change: Partial<Appearance>): void {
  localStorage.setItem(UNSAVED_KEY, 'true')
  store({ ...current, ...change })
}

/** Applies the appearance stored on the server, for example after signing in on another machine. */
export function applyAppearance(kept: Appearance): void {
  if (JSON.stringify(kept) !== JSON.stringify(current)) store(kept)
}

/**
 * Whether the latest choice still has to be sent to the server. Survives a reload, so a choice made offline isn't
 * lost.
 */
export function isUnsaved(): boolean {
  return localStorage.getItem(UNSAVED_KEY) === 'true'
}

/** Marks a choice as saved on the server; a later change stays unsaved. */
export function markSaved(saved: Appearance): void {
  if (saved === current) localStorage.removeItem(UNSAVED_KEY)
}

function store(next: Appearance): void {
  localStorage.setItem(KEY, JSON.stringify(next))
  show(next)
}

/** Re-reads local storage: signing out clears it, which restores the defaults. */
export function reloadAppearance(): void {
  show(readAppearance(localStorage.getItem(KEY)))
}

/** Call once before the first render. After that, changes in other tabs apply here too. */
export function startAppearance(): void {
  reloadAppearance()
  // The first paint has no style sheet; from now on the style sheet sets the scheme.
  document.documentElement.style.removeProperty('color-scheme')
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) reloadAppearance()
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

/** Passes the color scheme to Mantine, which follows the system for `auto`. Changes come only from this file. */
export const colorSchemes: MantineColorSchemeManager = {
  get: () => current.scheme,
  set: () => {},
  subscribe: (onUpdate) => {
    stopSchemes = subscribe(() => onUpdate(current.scheme))
  },
  unsubscribe: () => stopSchemes(),
  clear: () => {},
}
