import { FOREIGN_PAGE, type PromoPage, promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { send } from '#web/api/query.ts'
import { changeDocument, documentActions } from '#web/ui/document/document-actions.ts'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { followJob } from '#web/ui/tasks/follow-job.ts'

const actions = documentActions<PromoPage>('promo page', {
  get: promoPages.get,
  publish: send(promoPages.publish),
  remove: send(promoPages.remove),
})
const sendUnpublish = send(promoPages.unpublish)
const sendDiscard = send(promoPages.discardDraft)
const sendRemove = send(promoPages.removeMany)

/** Publishes the saved draft. @returns the page, or null after a failure, which is shown */
export const publishPage = (page: PromoPage): Promise<PromoPage | null> =>
  actions.publish(page, page.startsOn === null ? 'Page published' : 'Page published from its first day on')

/** Asks, then takes the page from the site. @returns the page, or null if the user canceled or it failed */
export const unpublishPage = ({ id, name }: PromoPage): Promise<PromoPage | null> =>
  changeDocument(
    sendUnpublish,
    { id },
    {
      question: {
        title: `Take ${name} from the site?`,
        text: 'Visitors, also those of printed short URLs, will read that the page has ended. To show it again, publish it.',
        confirm: 'Take from the site',
      },
      says: ['Page taken from the site', name],
    },
  )

/** Asks, then returns to the newest version. @returns the page, or null if the user canceled or it failed */
export const discardPageDraft = ({
  id,
  version,
  name,
  publishedNumber,
}: PromoPage): Promise<PromoPage | null> =>
  changeDocument(
    sendDiscard,
    { id, version },
    {
      question: {
        title: 'Discard this draft?',
        text: `All changes since version ${publishedNumber} will be lost. This can't be undone.`,
        confirm: 'Discard draft',
        isDestructive: true,
      },
      says: ['Draft discarded', name],
    },
  )

/** Asks, then deletes the page, and offers to undo it. @returns whether it is being deleted */
export async function removePage(page: PromoPage): Promise<boolean> {
  const done = await askToRemove({
    read: promoPages.get,
    shown: page,
    thing: 'this page',
    question: {
      title: `Delete ${page.name}?`,
      text: 'The page disappears from the site, also for printed short URLs. You can undo this.',
      confirm: 'Delete page',
    },
    run: ({ id, version }) => sendRemove({ selection: { ids: [id] }, version }),
  })
  if (done !== null && done !== 'gone') void followJob(done.result)
  return done !== null
}

/** Why the page can't be published, as a sentence; null if it can. */
export const publishLock = (page: PromoPage): string | null =>
  foreignLock(page) ??
  (page.status !== 'unpublished' && !page.hasChanges ? 'This version is published already.' : null)

/** Why the page can't be changed at all, as a sentence; null if it can. */
export const foreignLock = ({ isReadOnly }: PromoPage): string | null => (isReadOnly ? FOREIGN_PAGE : null)

/** Why the page can't be taken from the site, as a sentence; null if it can. */
export function unpublishLock({ status, isReadOnly }: PromoPage): string | null {
  if (isReadOnly) return FOREIGN_PAGE
  if (status === 'draft') return 'This page was never published.'
  return status === 'unpublished' ? 'This page is not on the site.' : null
}
