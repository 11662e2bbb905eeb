import { expect, test } from 'vitest'
import { menuFor } from '#contract/menu.ts'
import { Func, type Permission } from '#contract/permissions.ts'
import { isRecord } from '#web/api/read-json.ts'
import { tree } from './routes.tsx'

/** The permission and the title of each route. */
const needs = new Map<string, unknown>()
const titles = new Map<string, unknown>()
function walk(route: unknown): void {
  if (!isRecord(route) || !isRecord(route['options'])) return
  const { path, staticData } = route['options']
  if (typeof path === 'string') {
    needs.set(path, isRecord(staticData) ? staticData['needs'] : undefined)
    titles.set(path, isRecord(staticData) ? staticData['title'] : undefined)
  }
  if (Array.isArray(route['children'])) for (const child of route['children']) walk(child)
}
walk(tree)

const everything = Object.values(Func).flatMap(({ func, operations }) =>
  operations.map((opr) => ({ func, opr })),
)

/** The menu entry of this path for a user with only this permission. */
const entryOpens = (permission: Permission) =>
  menuFor({ isSuper: false, permissions: [permission] })
    .flatMap((item) => [item, ...item.children])
    .flatMap(({ url }) => url ?? [])

test('every page of the menu requires exactly the permission of its entry', () => {
  const wrong = everything.flatMap((permission) =>
    entryOpens(permission).flatMap((url) => {
      const needed = needs.get(url)
      const isSame = JSON.stringify(needed) === JSON.stringify(permission)
      return isSame
        ? []
        : [`${url} requires ${JSON.stringify(needed)}, its entry ${JSON.stringify(permission)}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('every page has a title', () => {
  const pages = [...titles].filter(([path]) => path !== '/')
  expect(pages.length).toBeGreaterThan(40)
  expect(pages.filter(([, title]) => typeof title !== 'string' || title.trim() === '')).toEqual([])
})
