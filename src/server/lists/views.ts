import type { views as contract } from '#contract/lists/views.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { ListSource } from './list-source.ts'
import { countViews } from './views-counts.ts'
import { openSource, readView, readViews, sourceOf } from './views-read.ts'
import { addView, changeView, removeView } from './views-write.ts'

/** Saved views of any list. While impersonating, these are the views of the impersonated user. */
export function viewHandlers(sources: readonly ListSource[]): Handlers<typeof contract> {
  return {
    list: async ({ db, actor, input }) =>
      readViews(db, actor, await openSource(db, actor, sources, input.list)),

    async counts({ db, actor, input }) {
      const source = await openSource(db, actor, sources, input.list)
      return countViews(db, actor, source, await readViews(db, actor, source))
    },

    add: ({ db, actor, input }) => addView(db, actor, sources, input),

    update: ({ db, actor, input }) => changeView(db, actor, sources, input),

    async remove({ db, actor, input }) {
      await removeView(db, actor, sources, input)
      return null
    },

    async setDefault({ db, actor, input }) {
      const { list } = sourceOf(sources, actor, input.list)
      const own = { userId: actor.effectiveUserId, list: list.key }
      if (input.id === null) {
        await db
          .deleteFrom('defaultViews')
          .where('userId', '=', own.userId)
          .where('list', '=', own.list)
          .execute()
        return null
      }
      const view = await readView(db, actor, sources, input.id)
      if (view.list !== list.key) throw notFound('View')
      await db
        .insertInto('defaultViews')
        .values({ ...own, viewId: view.id })
        .onConflict((found) =>
          found.columns(['customerId', 'userId', 'list']).doUpdateSet({ viewId: view.id }),
        )
        .execute()
      return null
    },
  }
}
