-- A title whose search failed is deleted for another: without this, documents of it would be looked for in all there are.
create index title_documents_of_title on title_documents (title_id);
