(element (start_tag (tag_name) (attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name))) (#eq? @_id "id")) @def.section
(element (start_tag (tag_name) @_heading) . (text) @name (#match? @_heading "^[hH][1-6]$")) @def.section

(comment) @comment

(script_element (start_tag (attribute (attribute_name) @_src (quoted_attribute_value (attribute_value) @import))) (#eq? @_src "src"))
(element (start_tag (tag_name) @_link (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @import))) (#eq? @_link "link") (#eq? @_href "href"))
