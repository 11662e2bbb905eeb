-- A short URL may open a promo page. It follows the page when its address changes.
alter table short_urls
  add page_id bigint,
  add foreign key (customer_id, page_id) references promo_pages (customer_id, id) on delete set null (page_id),
  drop constraint short_urls_target_check,
  drop constraint short_urls_target,
  add constraint short_urls_target_check check (target in ('vehicle', 'form', 'url', 'page')),
  add constraint short_urls_target check (
    (target = 'vehicle' or vehicle_id is null) and (target = 'form' or form_id is null) and (target = 'page' or page_id is null)
    and (target = 'url') = (url is not null));
create index short_urls_page on short_urls (customer_id, page_id);
