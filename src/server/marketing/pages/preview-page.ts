import type { Kysely } from 'kysely'
import type pg from 'pg'
import { brandStyleSheet } from '#contract/appearance/brand.ts'
import { picturesIn } from '#contract/marketing/pages/blocks.ts'
import type { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import { today } from '#contract/today.ts'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import { type MediaReader, MOST_PICTURE_BYTES, type PublicPictures } from '#server/files/index.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Secrets } from '#server/secrets.ts'
import { formElement } from '#public/form-page.ts'
import { documentOf } from '#public/layout.ts'
import { promoPage } from '#public/promo-page.ts'
import { firstView } from '../forms/form-view.ts'
import type { Opened } from '../forms/open-form.ts'
import { inSite } from '../site/in-site.ts'
import { readSiteRules } from '../site/site-assets.ts'
import { readSiteOf } from '../site/site-host.ts'
import { sitePictures } from '../site/site-pages.ts'
import { readGivenPage, readPageLinks, type ShownPage } from './public-pages.ts'

/** Pictures of the media are in the document itself: more of them would make it too large. */
const MOST_PICTURES = 40
const PICTURE_WIDTH = 640
/** The block that is open in the editor. */
const RULES = '[data-open] { outline: 2px solid var(--fc-brand-fill); outline-offset: 6px }'

type Parts = Readonly<{
  pool: pg.Pool
  iam: Kysely<DB>
  secrets: Secrets
  media: MediaReader
  pictures: PublicPictures
  projectFolder: string
}>

/** Pages as visitors would see them, while someone writes them. */
export function pagePreviewHandlers(parts: Parts): Pick<Handlers<typeof promoPages>, 'preview'> {
  const { pool, iam, secrets, projectFolder } = parts
  let rules: Promise<string> | null = null
  return {
    async preview({ actor, inTenant, input: { on, ...page } }) {
      await inTenant(async (db) => {
        const found = await db
          .selectFrom('promoPages')
          .select('id')
          .where('id', '=', page.id)
          .executeTakeFirst()
        if (found === undefined) throw notFound('Promo page')
      })
      const site = await readSiteOf(iam, actor.customerId)
      const { found, pages } = await inSite(pool, site, 'site.preview', async (db) => ({
        found: await readGivenPage(db, site, { ...page, pictureAddress: sitePictures(secrets, site) }),
        pages: await readPageLinks(db, site.customerId),
      }))
      if (found === null) throw notFound('Promo page')
      rules ??= readSiteRules(projectFolder)
      const inline = await picturesOf(found, site, parts)
      const view = promoPage(site, {
        content: found.content,
        form: found.form && previewForm(found.form.opened, secrets),
        origin: '',
        path: `/p/${found.content.slug}`,
        now: on === null ? clock.date() : thatDay(on, found.content.zone),
        isPreview: false,
        hasMarks: true,
        pictureUrl: (path) => inline.get(path) ?? 'data:,',
      })
      const styles = { rules: [brandStyleSheet(site.brand), await rules, RULES].join('\n') }
      const assets = { styles, script: null, proofWorker: null, formRules: null }
      return { html: documentOf(site, view, { assets, origin: '', menu: [], pages }) }
    },
  }
}

/** The present time of another day. */
const thatDay = (day: string, zone: string): Date =>
  new Date(clock.now() + Date.parse(day) - Date.parse(today(zone, clock.date())))

/** The form as its first visitor would get it, without what only a visitor needs. */
function previewForm(opened: Opened, secrets: Secrets) {
  const visitor = { query: new URLSearchParams(), request: { url: '/', headers: {} } }
  const { sentKey: _sentKey, ...view } = firstView(opened, visitor, { secrets, page: '' })
  return formElement({ ...view, proof: null, rulesScript: null })
}

/** The pictures of a page, by their path in the media. One that can't be read is left out. */
async function picturesOf(
  { content }: ShownPage,
  { customerId }: Site,
  { media, pictures }: Parts,
): Promise<ReadonlyMap<string, string>> {
  const paths = new Set(content.blocks.flatMap((block) => picturesIn(block).map(({ path }) => path)))
  const read = await Promise.all(
    [...paths].slice(0, MOST_PICTURES).map(async (path) => {
      const original = await media.identify(customerId, path)
      if (original === null) return []
      const bytes = await pictures.read({
        customerId,
        original,
        width: PICTURE_WIDTH,
        type: 'image/webp',
        load: async () => (await media.read(customerId, path, MOST_PICTURE_BYTES))?.bytes ?? null,
      })
      return bytes === null ? [] : [[path, `data:image/webp;base64,${bytes.toString('base64')}`] as const]
    }),
  )
  return new Map(read.flat())
}
