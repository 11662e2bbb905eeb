-- What files of the media library contain, so that the same content is found twice, and uploads that go on after a break
-- (docs/decisions/0259-same-files-and-large-uploads.md).

-- One row per file, derived from the storage. A row whose version isn't the stored file's is about an older file.
create table media_contents (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  -- The path of its folder; blank: the top.
  folder text collate "C" not null,
  name text collate "C" not null,
  -- What the indexes have of the path, which can be too long for one. Columns, because a policy keeps expressions from using an index.
  path_key text not null generated always as (md5(folder || '/' || name)) stored,
  folder_start text collate "C" not null generated always as (left(folder, 300)) stored,
  bytes bigint not null check (bytes > 0),
  version text not null,
  -- The SHA-256 of the content.
  content text not null check (content ~ '^[0-9a-f]{64}$'),
  -- Whether another file has the same content; kept by a trigger, so that the few are found among many files.
  is_repeated boolean not null default false,
  primary key (customer_id, id)
);
create unique index media_contents_path on media_contents (customer_id, path_key);
create index media_contents_folder on media_contents (customer_id, folder_start);
create index media_contents_content on media_contents (customer_id, content, is_repeated);
create index media_contents_repeated on media_contents (customer_id, bytes desc, content) where is_repeated;
call protect_tenant_table('media_contents', array['id'], audited => false);

-- One change of a customer at a time, so that two files that arrive at once see each other.
create function note_repeated_media() returns trigger language plpgsql as $$
declare
  changed record;
begin
  perform pg_advisory_xact_lock(hashtextextended('media_contents', coalesce(new.customer_id, old.customer_id)));
  for changed in select distinct c.content from (values (old.content), (new.content)) c (content) where c.content is not null loop
    if (select count(*) > 1 from (select from media_contents m where m.customer_id = coalesce(new.customer_id, old.customer_id)
        and m.content = changed.content limit 2) two) then
      update media_contents m set is_repeated = true where m.customer_id = coalesce(new.customer_id, old.customer_id)
        and m.content = changed.content and m.is_repeated = false;
    else
      update media_contents m set is_repeated = false where m.customer_id = coalesce(new.customer_id, old.customer_id)
        and m.content = changed.content and m.is_repeated = true;
    end if;
  end loop;
  return null;
end
$$;
create trigger repeated after insert or delete or update of content on media_contents
  for each row execute function note_repeated_media();

-- Files that arrive in parts. The parts are in the storage; an upload that nothing was added to for a day is removed.
create table media_uploads (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id uuid not null default gen_random_uuid(),
  user_id bigint not null,
  container text not null,
  -- The root and the folder below it.
  root text not null,
  folder text not null,
  name text not null,
  bytes bigint not null check (bytes > 0),
  -- When the file was last changed, as the browser says, in milliseconds: one of the signs of the same file.
  file_time bigint not null,
  -- Of each part that arrived, in order: its name in the storage, a dot, and its SHA-256.
  parts text[] not null default '{}',
  -- The SHA-256 of the whole file, once it is known.
  content text,
  created_at timestamptz not null default app_now(),
  touched_at timestamptz not null default app_now(),
  primary key (customer_id, id)
);
create index media_uploads_user on media_uploads (customer_id, user_id);
create index media_uploads_touched on media_uploads (customer_id, touched_at);
call protect_tenant_table('media_uploads', array['id'], audited => false);
