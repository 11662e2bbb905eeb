import { IconChevronRight, IconPhoto } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { wayTo } from './file-words.ts'

/** The link to the open folder is current, not those on the way to it. */
const EXACTLY = { exact: true, includeSearch: true }

/** Where the open folder is; each step is a link. */
export function FolderPath({ folder }: { folder: string }) {
  return (
    <nav className="fc-path" aria-label="Path">
      <ol>
        <li>
          <Link
            to="/administration/media"
            search={{}}
            activeOptions={EXACTLY}
            data-here={folder === '' || undefined}
          >
            <IconPhoto size={15} stroke={1.6} aria-hidden="true" />
            Media
          </Link>
        </li>
        {wayTo(folder).map(({ path, name }) => (
          <li key={path}>
            <IconChevronRight size={14} className="fc-flip" aria-hidden="true" />
            <Link
              to="/administration/media"
              search={{ folder: path }}
              activeOptions={EXACTLY}
              data-here={path === folder || undefined}
            >
              <bdi className="fc-cut">{name}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
