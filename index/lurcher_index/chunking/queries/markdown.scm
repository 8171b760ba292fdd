(section . (atx_heading heading_content: (_) @name)) @def.section
(setext_heading heading_content: (_) @name) @def.section
