-- What a layout was after each save that changed it; a restored one is another. Never changes. It is deleted with its layout, and
-- an undo of the deletion brings it back.
create table dvp_layout_versions (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  layout_id bigint not null,
  -- That of the layout which it was.
  version integer not null check (version > 0),
  name text not null,
  note text,
  allowed text[] not null,
  is_ordered boolean not null,
  top jsonb not null check (jsonb_typeof(top) = 'array'),
  bottom jsonb not null check (jsonb_typeof(bottom) = 'array'),
  created_at timestamptz not null default app_now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, layout_id, version),
  foreign key (customer_id, layout_id) references dvp_layouts (customer_id, id) on delete cascade
);
call protect_tenant_table('dvp_layout_versions', array['layout_id', 'version'], operations => 'select, insert', audited => false);

insert into dvp_layout_versions (customer_id, layout_id, version, name, note, allowed, is_ordered, top, bottom, created_at, created_by)
select customer_id, id, version, name, note, allowed, is_ordered, top, bottom, updated_at, updated_by from dvp_layouts;
