import { IconChevronRight, IconPhoto } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { wayTo } from './file-words.ts'

/** Where the open folder is; each step is a link. */
export function FolderPath({ folder }: { folder: string }) {
  return (
    <nav className="fc-path" aria-label="Path">
      <ol>
        <li>
          <Link
            to="/administration/media"
            search={{}}
            {...(folder === '' && { 'aria-current': 'location' as const })}
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
              {...(path === folder && { 'aria-current': 'location' as const })}
            >
              <bdi className="fc-cut">{name}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
