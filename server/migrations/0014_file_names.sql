-- compatible: yes
-- Every file is stored and served under a name that ends in .pdf, as the service has named new files since.
update files
   set file_name = left(regexp_replace(file_name, '\.pdf$', '', 'i'), 251) || '.pdf'
 where file_name !~ '\.pdf$';
