// The two kinds of pages, bare and inside the navigation, from which routes.tsx makes every page.
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { Permission } from '#contract/permissions.ts'
import { guard } from '#web/session/guard.ts'
import type { Session } from '#web/session/session.ts'
import { readChoice, readListSearch, readTexts, type Search } from './list-search.ts'

export type RouterContext = {
  session: Session
  /** Resolves when the session has started, with the reason if the stored token was not usable. */
  started: Promise<string | null>
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's part of the document title. */
    title?: string
    /** The permission of the page's first call. Without it the page shows an explanation instead. */
    needs?: Permission
  }
}

/** What every page is in. */
export const root = createRootRouteWithContext<RouterContext>()({ component: Outlet })

/** How often a page's code is asked for while the server can't be reached. */
const RETRY_MS = 3_000

/**
 * A page's code, loaded when the page is opened. While the server can't be reached it is asked for again and again, because the
 * router would reload the document, which the browser replaces with a page of its own.
 */
export function load<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  importer: () => Promise<Module>,
  name: Name,
): ReturnType<typeof lazyRouteComponent<Module, Name>> {
  const patient = (): Promise<Module> =>
    importer().catch(async (error: unknown) => {
      // It answers, so the code of this release is gone.
      if (await isServerThere()) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      reloadStyles()
      return patient()
    })
  return lazyRouteComponent(patient, name)
}

/** Styles that failed stay in the document as they are: nothing asks for them a second time. */
function reloadStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    if (link.sheet === null) link.replaceWith(link.cloneNode())
  }
}

const isServerThere = (): Promise<boolean> =>
  fetch('/livez', { cache: 'no-store' }).then(
    () => true,
    () => false,
  )

/** The pages inside the navigation, for signed-in users. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context: { session, started }, location }) => {
    await started
    const visit = guard({ accessToken: session.accessToken, now: session.now, path: location.href })
    if (visit.redirect !== null) throw redirect({ href: visit.redirect })
  },
  component: load(() => import('./shell/layout/Shell.tsx'), 'Shell'),
})

/** A page without navigation. */
export const bare = <const Path extends string>(path: Path, title: string) => ({
  getParentRoute: () => root,
  path,
  staticData: { title },
})

/** A page inside the navigation. `needs`: the permission of its first call, which is also that of its menu entry. */
export const page = <const Path extends string>(path: Path, title: string, needs?: Permission) => ({
  getParentRoute: () => shell,
  path,
  staticData: { title, ...(needs !== undefined && { needs }) },
})

/** The page of a list whose open record is in the parameter `row`: its ID, or `new`. */
export const listPage = <const Path extends string, const Row extends string>(
  path: Path,
  title: string,
  needs: Permission,
  row: Row,
) => ({
  ...page(path, title, needs),
  validateSearch: (given: Search) => ({ ...readListSearch(given), ...readTexts(given, [row]) }),
})

/** The page of a list of documents, which open on pages of their own: only what begins one is in a drawer. */
export const documentListPage = <const Path extends string, const Drawer extends string>(
  path: Path,
  title: string,
  needs: Permission,
  drawers: readonly Drawer[],
) => ({
  ...page(path, title, needs),
  validateSearch: (given: Search) => ({ ...readListSearch(given), ...readChoice(given, 'drawer', drawers) }),
})
