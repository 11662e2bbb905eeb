import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowBackUp, IconDots, IconEyeOff, IconSend, IconTrash } from '@tabler/icons-react'
import { type PromoPage, promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import {
  discardPageDraft,
  foreignLock,
  publishLock,
  publishPage,
  removePage,
  unpublishLock,
  unpublishPage,
} from './page-actions.ts'

type Props = {
  page: PromoPage
  /** Leave out publishing: the editor has its own button. */
  isOnPage?: boolean
  /** Called with the changed page. */
  onChanged?: (page: PromoPage) => void
  onRemoved?: () => void
}

/** What can be done with a page besides editing it. */
export function PageMenu({ page, isOnPage = false, onChanged, onRemoved }: Props) {
  const report = async (change: Promise<PromoPage | null>) => {
    const changed = await change
    if (changed !== null) onChanged?.(changed)
  }
  const hasDraft = page.publishedNumber !== null && page.hasChanges
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon
          className="fc-form-menu"
          variant={isOnPage ? 'default' : 'subtle'}
          size={isOnPage ? 36 : 28}
          aria-label={`More for ${page.name}`}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isOnPage && (
          <ActionItem
            for={promoPages.publish}
            lock={publishLock(page)}
            leftSection={<IconSend size={16} aria-hidden="true" />}
            onClick={() => void report(publishPage(page))}
          >
            Publish
          </ActionItem>
        )}
        <ActionItem
          for={promoPages.discardDraft}
          lock={foreignLock(page) ?? (hasDraft ? null : 'There are no changes since the newest version.')}
          leftSection={<IconArrowBackUp size={16} aria-hidden="true" />}
          onClick={() => void report(discardPageDraft(page))}
        >
          Discard draft
        </ActionItem>
        <ActionItem
          for={promoPages.unpublish}
          lock={unpublishLock(page)}
          leftSection={<IconEyeOff size={16} aria-hidden="true" />}
          onClick={() => void report(unpublishPage(page))}
        >
          Take from the site
        </ActionItem>
        <ActionItem
          for={promoPages.removeMany}
          lock={foreignLock(page)}
          isDestructive
          leftSection={<IconTrash size={16} aria-hidden="true" />}
          onClick={() => void removePage(page).then((isRemoved) => isRemoved && onRemoved?.())}
        >
          Delete
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  )
}
